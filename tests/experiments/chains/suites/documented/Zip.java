// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of ZipInputStream, ZipOutputStream and ZipEntry.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

public final class Zip {
	static final byte[] DATA = Gzip.sample(3000);

	static byte[] archive() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ZipOutputStream zip = new ZipOutputStream(out);
		ZipEntry first = new ZipEntry("first.txt");
		first.setTime(1_000_000_000_000L);
		first.setComment("the first");
		zip.putNextEntry(first);
		zip.write(DATA, 0, DATA.length);
		zip.closeEntry();
		zip.putNextEntry(new ZipEntry("folder/"));
		zip.closeEntry();
		zip.setMethod(ZipOutputStream.STORED);
		ZipEntry stored = new ZipEntry("stored");
		stored.setSize(DATA.length);
		CRC32 crc = new CRC32();
		crc.update(DATA);
		stored.setCrc(crc.getValue());
		zip.putNextEntry(stored);
		zip.write(DATA, 0, DATA.length);
		zip.close();
		return out.toByteArray();
	}

	static int size(ZipInputStream zip) throws IOException {
		byte[] buffer = new byte[256];
		int size = 0;
		for (int n; (n = zip.read(buffer, 0, buffer.length)) != -1;)
			size += n;
		return size;
	}

	static void thereAndBack() throws IOException {
		ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive()));
		ZipEntry entry = zip.getNextEntry();
		same("first.txt", entry.getName());
		same(1_000_000_000_000L, entry.getTime());
		same(DATA.length, size(zip));
		zip.closeEntry();
		entry = zip.getNextEntry();
		that(entry.isDirectory(), "a directory");
		entry = zip.getNextEntry();
		same("stored", entry.getName());
		same(DATA.length, size(zip));
		same(null, zip.getNextEntry());
		zip.close();
	}

	static void mistakes() throws IOException {
		ZipOutputStream zip = new ZipOutputStream(new ByteArrayOutputStream());
		zip.putNextEntry(new ZipEntry("one"));
		fails(ZipException.class, () -> zip.putNextEntry(new ZipEntry("one")));
		fails(IllegalArgumentException.class, () -> zip.setMethod(99));
		fails(IllegalArgumentException.class, () -> new ZipEntry("x").setSize(-1));
		ZipInputStream none = new ZipInputStream(new ByteArrayInputStream(new byte[50]));
		same(null, none.getNextEntry());
	}

	public static void main(String[] args) throws IOException {
		thereAndBack();
		mistakes();
		done("zip");
	}
}
