// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: archives in archives, extra fields, times, sizes beyond 32 bits.
package suites.directed;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

public final class Zip {
	static final long YEAR_1970 = 1000;
	static final long YEAR_2200 = 7_258_118_400_000L;

	/** Extra fields: one that nobody knows, and what is left of one that is cut. */
	static byte[] extra() {
		return new byte[] { 0x77, 0x77, 2, 0, 1, 2, 0x66, 0x66, 9 };
	}

	/** A field says that it is longer than what is there. */
	static byte[] cutExtra() {
		return new byte[] { 0x77, 0x77, 50, 0, 1, 2 };
	}

	static byte[] oddExtra() {
		return new byte[] { 0x77, 0x77, 2, 0, 1, 2, 9 };
	}

	/** NTFS times, all three. */
	static byte[] ntfs(long time) {
		byte[] b = new byte[36];
		b[0] = 0x0a;
		b[2] = 32;
		b[8] = 1;
		b[10] = 24;
		for (int field = 12; field < 36; field += 8)
			for (int i = 0; i < 8; i++)
				b[field + i] = (byte) (time >> 8 * i);
		return b;
	}

	/** Extended timestamps: flags, then times of four bytes. */
	static byte[] extended() {
		return new byte[] { 0x55, 0x54, 13, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	}

	static ZipEntry entry(String name, byte[] extra, long time) {
		ZipEntry e = new ZipEntry(name);
		if (time != 0)
			e.setTime(time);
		if (extra != null)
			e.setExtra(extra);
		return e;
	}

	static ZipEntry stored(ZipEntry e, byte[] data) {
		CRC32 crc = new CRC32();
		crc.update(data);
		e.setSize(data.length);
		e.setCrc(crc.getValue());
		return e;
	}

	static void fill(ZipOutputStream zip, byte[] data) throws IOException {
		int n = 0;
		long recent = 132_000_000_000_000_000L;
		long far = recent * 3 / 2;
		for (byte[] extra : new byte[][] { null, extra(), oddExtra(), cutExtra(), ntfs(recent), ntfs(far),
				extended() })
			for (long time : new long[] { 0, YEAR_1970, YEAR_2200, 1_000_000_000_000L }) {
				zip.putNextEntry(entry("e" + n++, extra, time));
				zip.write(data, 0, data.length);
				if (n % 2 == 0)
					zip.closeEntry();
			}
		zip.setMethod(ZipOutputStream.STORED);
		ZipEntry e = stored(entry("stored", extended(), YEAR_2200), data);
		e.setComment("a comment");
		zip.putNextEntry(e);
		zip.write(data, 0, data.length);
		zip.closeEntry();
		zip.setMethod(ZipOutputStream.DEFLATED);
	}

	static int count(ZipInputStream zip, boolean skip) throws IOException {
		int n = 0;
		byte[] buffer = new byte[100];
		for (ZipEntry e; (e = zip.getNextEntry()) != null; n++) {
			that(e.getTime() != 0, "a time");
			if (skip && n % 2 == 0)
				zip.closeEntry();
			else
				while (!skip && zip.read(buffer, 0, buffer.length) != -1)
					continue;
		}
		zip.close();
		return n;
	}

	static void fields() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ZipOutputStream zip = new ZipOutputStream(out);
		fill(zip, Gzip.random(700));
		zip.close();
		same(29, count(new ZipInputStream(new ByteArrayInputStream(out.toByteArray())), true));
		same(29, count(new ZipInputStream(new ByteArrayInputStream(out.toByteArray())), false));
	}

	static ZipEntry hugeEntry(String name) {
		ZipEntry e = new ZipEntry(name);
		e.setSize(1L << 33);
		e.setCrc(1);
		return e;
	}

	/** What an archive writes goes into the open entry of another, and of a third. */
	static void inEachOther(int depth) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ZipOutputStream zip = new ZipOutputStream(out);
		for (int i = 0; i < depth; i++) {
			zip.putNextEntry(new ZipEntry("inner"));
			zip = new ZipOutputStream(zip);
		}
		fill(zip, Gzip.random(2000));
		zip.close();
		InputStream in = new ByteArrayInputStream(out.toByteArray());
		for (int i = 0; i < depth; i++) {
			ZipInputStream inner = new ZipInputStream(in);
			same("inner", inner.getNextEntry().getName());
			in = inner;
		}
		same(29, count(new ZipInputStream(in), false));
	}

	/** Stored in what is stored, and so on: each writes through to the next. */
	static void storedInEachOther(int method) throws IOException {
		ZipOutputStream zip = new ZipOutputStream(new ByteArrayOutputStream());
		for (int i = 0; i < 5; i++) {
			zip.setMethod(ZipOutputStream.STORED);
			ZipEntry e = new ZipEntry("inner");
			e.setSize(1 << 20);
			e.setCrc(0);
			zip.putNextEntry(e);
			zip = new ZipOutputStream(zip);
		}
		byte[] data = Gzip.random(50000);
		ZipOutputStream inner = zip;
		inner.setMethod(method);
		inner.putNextEntry(stored(new ZipEntry("data"), data));
		inner.write(data, 0, data.length);
		inner.closeEntry();
		inner.putNextEntry(stored(new ZipEntry("more"), data));
		inner.write(data, 0, data.length);
		fails(ZipException.class, inner::close);
	}

	/** What is stored is stored in what is packed. */
	static void storedInPacked() throws IOException {
		ZipOutputStream zip = new ZipOutputStream(new ByteArrayOutputStream());
		zip.putNextEntry(new ZipEntry("packed"));
		for (int i = 0; i < 2; i++) {
			zip = new ZipOutputStream(zip);
			zip.setMethod(ZipOutputStream.STORED);
			zip.putNextEntry(stored(new ZipEntry("inner"), new byte[1 << 20]));
		}
		byte[] data = Gzip.random(5000);
		zip.write(data, 0, data.length);
		fails(ZipException.class, zip::closeEntry);
	}

	/** An archive that ends too early, in another: its reader meets the end of the entry that it is in. */
	static void cutInside() throws IOException {
		ByteArrayOutputStream inner = new ByteArrayOutputStream();
		ZipOutputStream zip = new ZipOutputStream(inner);
		zip.putNextEntry(new ZipEntry("data"));
		zip.write(Gzip.random(5000), 0, 5000);
		zip.close();
		ByteArrayOutputStream outer = new ByteArrayOutputStream();
		zip = new ZipOutputStream(outer);
		zip.putNextEntry(new ZipEntry("cut"));
		zip.write(inner.toByteArray(), 0, 2000);
		zip.close();
		ZipInputStream around = new ZipInputStream(new ByteArrayInputStream(outer.toByteArray()));
		around.getNextEntry();
		ZipInputStream in = new ZipInputStream(around);
		in.getNextEntry();
		fails(java.io.EOFException.class, in::closeEntry);
		around = new ZipInputStream(new ByteArrayInputStream(outer.toByteArray()));
		around.getNextEntry();
		ZipInputStream again = new ZipInputStream(around);
		again.getNextEntry();
		byte[] buffer = new byte[8000];
		fails(java.io.EOFException.class, () -> {
			while (again.read(buffer, 0, buffer.length) != -1)
				continue;
		});
	}

	/** Sizes beyond 32 bits in a local header: no content has to follow. */
	static void largeHeader() throws IOException {
		for (byte[] extra : new byte[][] { null, extra(), extended() }) {
			ZipOutputStream zip = new ZipOutputStream(new ByteArrayOutputStream());
			zip.setMethod(ZipOutputStream.STORED);
			ZipEntry e = hugeEntry("huge");
			if (extra != null)
				e.setExtra(extra);
			zip.putNextEntry(e);
			fails(ZipException.class, zip::closeEntry);
			ZipOutputStream outer = new ZipOutputStream(new ByteArrayOutputStream());
			outer.putNextEntry(new ZipEntry("inner"));
			ZipOutputStream inner = new ZipOutputStream(outer);
			inner.setMethod(ZipOutputStream.STORED);
			inner.putNextEntry(e);
			fails(ZipException.class, inner::closeEntry);
		}
	}

	/** More than four gigabytes of zeros, as a data descriptor tells afterwards; written into an archive, too. */
	static void largeContent(boolean inside, boolean by) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ZipOutputStream zip = new ZipOutputStream(out);
		if (inside) {
			zip.putNextEntry(new ZipEntry("inner"));
			zip = new ZipOutputStream(zip);
		}
		byte[] zeros = new byte[1 << 26];
		zip.putNextEntry(new ZipEntry("zeros"));
		for (int i = 0; i <= 64; i++)
			zip.write(zeros, 0, zeros.length);
		if (by)
			zip.putNextEntry(new ZipEntry("next"));
		else
			zip.closeEntry();
		zip.close();
		if (inside)
			return;
		if (by) {
			ZipInputStream skipped = new ZipInputStream(new ByteArrayInputStream(out.toByteArray()));
			skipped.getNextEntry();
			skipped.closeEntry();
			return;
		}
		ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(out.toByteArray()));
		in.getNextEntry();
		long size = 0;
		for (int n; (n = in.read(zeros, 0, zeros.length)) != -1;)
			size += n;
		same(65L << 26, size);
	}

	public static void main(String[] args) throws IOException {
		fields();
		inEachOther(1);
		inEachOther(2);
		inEachOther(3);
		largeHeader();
		storedInPacked();
		cutInside();
		storedInEachOther(ZipOutputStream.STORED);
		storedInEachOther(ZipOutputStream.DEFLATED);
		if (args.length > 0) {
			largeContent(false, false);
			largeContent(false, true);
			largeContent(true, false);
		}
		done("zip");
	}
}
