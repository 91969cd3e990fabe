// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Uses java.util.zip, which the JVM itself has used before. */
public class Zip {
	public static void main(String[] args) throws Exception {
		byte[] data = "some text, some text".getBytes();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream gz = new GZIPOutputStream(out)) { gz.write(data); }
		System.out.println(new String(new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes()));
		ByteArrayOutputStream zip = new ByteArrayOutputStream();
		try (ZipOutputStream z = new ZipOutputStream(zip)) {
			z.putNextEntry(new ZipEntry("a"));
			z.write(data);
		}
		ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip.toByteArray()));
		System.out.println(in.getNextEntry().getName() + new String(in.readAllBytes()));
		System.out.println(new CheckedInputStream(new ByteArrayInputStream(data), new Adler32()).readAllBytes().length);
		System.out.println(new CheckedInputStream(new ByteArrayInputStream(data), new CRC32()).readAllBytes().length);
	}
}
