// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: optional parts of headers, members one after another, streams in streams.
package suites.directed;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

public final class Gzip {
	static final int EXTRA = 4;
	static final int NAME = 8;
	static final int COMMENT = 16;
	static final int HEADER_CRC = 2;

	static byte[] join(byte[]... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] part : parts)
			out.write(part, 0, part.length);
		return out.toByteArray();
	}

	static byte[] random(int length) {
		byte[] data = new byte[length];
		new Random(length).nextBytes(data);
		return data;
	}

	static byte[] pack(byte[] data) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		GZIPOutputStream gzip = new GZIPOutputStream(out);
		gzip.write(data, 0, data.length);
		gzip.close();
		return out.toByteArray();
	}

	static byte[] read(InputStream in) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		byte[] buffer = new byte[77];
		for (int n; (n = in.read(buffer, 0, buffer.length)) != -1;)
			out.write(buffer, 0, n);
		in.close();
		return out.toByteArray();
	}

	static byte[] unpack(byte[] packed) throws IOException {
		return read(new GZIPInputStream(new ByteArrayInputStream(packed)));
	}

	/** By the definition: CRC32 is part of the component, and clients do not use it. */
	static int crc(byte[] data) {
		int v = -1;
		for (byte b : data) {
			v ^= b & 0xff;
			for (int bit = 0; bit < 8; bit++)
				v = v >>> 1 ^ (0xedb88320 & -(v & 1));
		}
		return ~v;
	}

	/** The same member with each optional part of a header. */
	static byte[] withParts(byte[] packed) {
		byte[] header = { 0x1f, (byte) 0x8b, 8, EXTRA | NAME | COMMENT | HEADER_CRC, 0, 0, 0, 0, 0, 0, 3, 0,
				'x', 'y', 'z', 'n', 0, 'c', 0 };
		int v = crc(header);
		return join(header, new byte[] { (byte) v, (byte) (v >> 8) }, Arrays.copyOfRange(packed, 10,
				packed.length));
	}

	static void headers() throws IOException {
		byte[] data = random(50);
		byte[] parts = withParts(pack(data));
		that(Arrays.equals(data, unpack(parts)), "with parts");
		that(Arrays.equals(join(data, data, data), unpack(join(parts, parts, parts))), "three members");
		byte[] wrong = parts.clone();
		wrong[19] ^= 1;
		fails(java.util.zip.ZipException.class, () -> unpack(wrong));
	}

	/** Nothing to read in members makes read call itself, once for each. */
	static void emptyMembers() throws IOException {
		byte[] none = pack(new byte[0]);
		byte[] some = pack(random(20));
		that(unpack(join(none, none, none, none, none, some)).length == 20, "after empty members");
		that(unpack(join(none, some)).length == 20 && unpack(join(none, none, some)).length == 20,
				"after one, after two");
		that(unpack(join(none, pack(random(5000)))).length == 5000, "more than a buffer after an empty member");
		for (int k = 480; k < 520; k++)
			that(unpack(join(pack(random(k)), none, some)).length == k + 20,
					"the buffer ends between members");
		for (byte[] members : new byte[][] { join(none, some), join(none, none, some) })
			that(new GZIPInputStream(new ByteArrayInputStream(members)).read() != -1, "a byte");
		GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(join(none, none, none, none, some,
				withParts(none))));
		int n = 0;
		while (in.read() != -1)
			n++;
		same(20, n);
	}

	static void inEachOther() throws IOException {
		byte[] data = random(200000);
		byte[] thrice = pack(pack(pack(data)));
		InputStream in = new ByteArrayInputStream(thrice);
		for (int i = 0; i < 3; i++)
			in = new GZIPInputStream(in);
		that(Arrays.equals(data, read(in)), "thrice");
		in = new GZIPInputStream(new GZIPInputStream(new ByteArrayInputStream(pack(pack(data)))));
		same(data[0] & 0xff, in.read());
		ByteArrayOutputStream to = new ByteArrayOutputStream();
		OutputStream out = to;
		for (int i = 0; i < 5; i++)
			out = new GZIPOutputStream(out);
		out.write(data, 0, data.length);
		out.write(1);
		out.close();
		that(unpack(unpack(unpack(unpack(unpack(to.toByteArray()))))).length == data.length + 1, "five times");
	}

	/** One that is read has members, too; and one that ends within a header. */
	static void membersInEachOther() throws IOException {
		byte[] some = pack(random(20));
		byte[] members = pack(join(some, pack(new byte[0]), pack(random(3000)), some));
		same(3040, read(new GZIPInputStream(new GZIPInputStream(new ByteArrayInputStream(members)))).length);
		InputStream in = new GZIPInputStream(new GZIPInputStream(new ByteArrayInputStream(pack(some))));
		int n = 0;
		while (in.read() != -1)
			n++;
		same(20, n);
		byte[] name = new byte[60];
		Arrays.fill(name, (byte)'x');
		byte[] cut = join(some, new byte[] { 0x1f, (byte)0x8b, 8, 8, 0, 0, 0, 0, 0, 0 }, name);
		same(20, unpack(cut).length);
	}

	/** Sizes around that of the buffer: where the trailer goes depends on them. */
	static void sizes() throws IOException {
		for (int size = 480; size < 530; size++) {
			ByteArrayOutputStream out = new ByteArrayOutputStream();
			GZIPOutputStream outer = new GZIPOutputStream(new GZIPOutputStream(out));
			outer.write(random(size), 0, size);
			outer.finish();
			outer.close();
			same(size, unpack(unpack(out.toByteArray())).length);
			ByteArrayOutputStream plain = new ByteArrayOutputStream();
			GZIPOutputStream gzip = new GZIPOutputStream(plain);
			gzip.write(random(size), 0, size);
			gzip.finish();
			same(size, unpack(plain.toByteArray()).length);
			same(size, unpack(unpack(pack(pack(random(size))))).length);
			ByteArrayOutputStream closed = new ByteArrayOutputStream();
			GZIPOutputStream both = new GZIPOutputStream(new GZIPOutputStream(closed));
			both.write(random(size), 0, size);
			both.close();
			same(size, unpack(unpack(closed.toByteArray())).length);
		}
	}

	public static void main(String[] args) throws IOException {
		headers();
		emptyMembers();
		inEachOther();
		membersInEachOther();
		sizes();
		done("gzip");
	}
}
