// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of GZIPInputStream and GZIPOutputStream.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

public final class Gzip {
	static byte[] pack(byte[] data) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		GZIPOutputStream gzip = new GZIPOutputStream(out);
		gzip.write(data, 0, data.length);
		gzip.close();
		return out.toByteArray();
	}

	static byte[] unpack(byte[] packed) throws IOException {
		GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed));
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		byte[] buffer = new byte[100];
		for (int n; (n = in.read(buffer, 0, buffer.length)) != -1;)
			out.write(buffer, 0, n);
		same(-1, in.read(buffer, 0, buffer.length));
		in.close();
		return out.toByteArray();
	}

	static byte[] sample(int length) {
		byte[] data = new byte[length];
		for (int i = 0; i < length; i++)
			data[i] = (byte) (i * i >> 3);
		return data;
	}

	static void thereAndBack() throws IOException {
		for (int length : new int[] { 0, 1, 99, 5000 })
			that(Arrays.equals(sample(length), unpack(pack(sample(length)))), "content");
	}

	static void bytes() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		GZIPOutputStream gzip = new GZIPOutputStream(out);
		gzip.write(42);
		gzip.finish();
		gzip.close();
		GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray()));
		same(42, in.read());
		same(-1, in.read());
	}

	static void mistakes() throws IOException {
		fails(ZipException.class, () -> new GZIPInputStream(new ByteArrayInputStream(new byte[20])));
		fails(EOFException.class, () -> new GZIPInputStream(new ByteArrayInputStream(new byte[0])));
		byte[] packed = pack(sample(500));
		packed[packed.length - 5] ^= 1;
		fails(ZipException.class, () -> unpack(packed));
		GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(pack(sample(5))));
		in.close();
		fails(IOException.class, () -> in.read(new byte[1], 0, 1));
	}

	public static void main(String[] args) throws IOException {
		thereAndBack();
		bytes();
		mistakes();
		done("gzip");
	}
}
