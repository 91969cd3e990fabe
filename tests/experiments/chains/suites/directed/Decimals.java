// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: affixes of all kinds, numbers at all limits, patterns of all shapes.
package suites.directed;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.that;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.ParsePosition;
import java.util.Locale;

public final class Decimals {
	static final String[] AFFIXES = { "", "%", "\u2030", "\u00a4", "\u00a4\u00a4", "-", "'#'x", "''", "it'''s'",
			"a'\u00a4'b'-'" };
	static final String[] BODIES = { "0", "#,##0.###", "#,##0.00", "#", "#.##", "0.###E0", "##0.0E00", "00.00E0",
			"#,####.0", "###,###,##0.00", "0.", "0000000000000.0000", "" };
	static final double[] DOUBLES = { 0.0, -0.0, 1, -1, 0.5, 1234.5678, -98765.4325, 0.0005, 0.0015, 999999.9995,
			1e20, -1e-20, 2147483648.0, 1e300, Double.NaN, Double.POSITIVE_INFINITY,
			Double.NEGATIVE_INFINITY, 12345678.125, 0.1255, 2.0000005, 1e9 };
	static final long[] LONGS = { 0, 1, -1, 123456789, Long.MAX_VALUE, Long.MIN_VALUE, -5000 };
	static final Locale[] LOCALES = { Locale.US, new Locale("ar", "EG", ""), new Locale("de", "CH", ""),
			new Locale("he", "IL", ""), new Locale("ar", "EG", "u-nu-arab"), new Locale("fa", "IR", "") };

	static DecimalFormatSymbols symbols(Locale l) {
		return new DecimalFormatSymbols(l);
	}

	static void numbers(DecimalFormat f) {
		for (double d : DOUBLES) {
			String text = f.format(d);
			for (int field = 0; field < 2; field++) {
				FieldPosition pos = new FieldPosition(field);
				f.format(d, new StringBuffer(), pos);
				that(pos.getBeginIndex() >= 0, "a begin");
			}
			ParsePosition pos = new ParsePosition(0);
			f.parse(text, pos);
			that(pos.getIndex() >= 0, "an end");
		}
		for (long n : LONGS) {
			String text = f.format(n);
			f.format(n, new StringBuffer(), new FieldPosition(0));
			f.format(n, new StringBuffer(), new FieldPosition(1));
			f.parse(text, new ParsePosition(0));
		}
		for (String text : new String[] { "NaN", "\u221e", "-\u221e", "0", "-0", "0.0", "00012", "1E5",
				"1E-5", "1E+5", "1E", "1E99999999999", "-9223372036854775808", "9223372036854775808",
				"1,2,3", ".5",
				"5.", "1.2.3", "+1", "abc", "", "0.00001E3", "$1,5.5", "USD7" })
			f.parse(text, new ParsePosition(0));
	}

	/** One of each kind. */
	static void few(DecimalFormat f) {
		for (double d : new double[] { 1.5, -1.5, Double.NEGATIVE_INFINITY }) {
			f.parse(f.format(d), new ParsePosition(0));
			f.format(d, new StringBuffer(), new FieldPosition(0));
		}
		f.format(-7L);
		f.format(-7L, new StringBuffer(), new FieldPosition(1));
	}

	static void settings(DecimalFormat f) {
		for (int n : new int[] { 0, 3, 400, 1, 7, -1 }) {
			f.setMaximumFractionDigits(n);
			f.setMinimumIntegerDigits(n);
			f.setMinimumFractionDigits(n == 400 ? 350 : n);
			f.setMaximumIntegerDigits(n);
			f.format(1234.5);
			f.format(12L);
			f.format(1e5, new StringBuffer(), new FieldPosition(0));
		}
		for (int m : new int[] { 0, -1, 100, Integer.MAX_VALUE }) {
			f.setMultiplier(m);
			few(f);
			f.format(Long.MAX_VALUE, new StringBuffer(), new FieldPosition(0));
			f.format(Long.MIN_VALUE);
		}
		f.setMultiplier(1);
		f.setGroupingSize(0);
		f.format(123456L);
		f.setGroupingSize(3);
		f.setNegativePrefix("neg ");
		f.format(-1.0);
		patterns(f);
	}

	/** The fast way is taken up, left, and taken up again. */
	static void fast(DecimalFormat f) {
		for (int round = 0; round < 2; round++) {
			f.format(1.5);
			f.format(2.5);
			f.setGroupingSize(2);
			f.format(1.5);
			f.setGroupingSize(3);
			f.format(-1.5);
			f.format(-3.25);
			f.setMaximumFractionDigits(340);
			f.format(1.5);
			f.applyPattern("#,##0.###");
			f.format(4.5);
		}
	}

	/** A pattern has a letter for each digit: no more than a few. */
	static void patterns(DecimalFormat f) {
		f.setMaximumFractionDigits(12);
		f.setMaximumIntegerDigits(12);
		that(f.toPattern() != null, "a pattern");
		f.applyLocalizedPattern(f.toLocalizedPattern());
	}

	static void shape(String pattern, Locale l, boolean plain) {
		DecimalFormat f;
		try {
			f = new DecimalFormat(pattern, symbols(l));
		} catch (IllegalArgumentException e) {
			return;
		}
		if (plain)
			numbers(f);
		few(f);
		patterns(f);
		f.applyPattern(pattern);
		f.setDecimalFormatSymbols(symbols(Locale.US));
		fast(f);
		if (plain)
			settings(new DecimalFormat(pattern, symbols(l)));
		DecimalFormat again = new DecimalFormat("0.00000;x0.00", symbols(l));
		again.setMinimumIntegerDigits(300);
		again.setMinimumFractionDigits(300);
		again.applyPattern(pattern);
		again = new DecimalFormat("0.00", symbols(Locale.US));
		again.setMinimumIntegerDigits(300);
		again.setMinimumFractionDigits(300);
		again.applyLocalizedPattern(pattern);
		patterns(again);
	}

	/** More digits in a pattern than there may be before it. */
	static void digits() {
		String zeros = "0".repeat(50);
		DecimalFormat f = new DecimalFormat(zeros, symbols(Locale.US));
		for (int by = 0; by < 2; by++) {
			f.setMinimumIntegerDigits(0);
			f.setMaximumIntegerDigits(1);
			if (by == 0)
				f.applyPattern(zeros);
			else
				f.applyLocalizedPattern(zeros);
			that(f.format(1L).length() == 50, "as many digits");
		}
	}

	static void mistakes() {
		for (String wrong : new String[] { "0.0.0", "#0#", ";0", "0;0;0", "0%%", "0%\u2030", "E0", "0E", "#,",
				"0E0E0", "0.#0", "0,#.0,0" })
			for (int by = 0; by < 3; by++) {
				DecimalFormat f = new DecimalFormat("0", symbols(Locale.US));
				try {
					if (by == 0)
						f.applyPattern(wrong);
					else if (by == 1)
						f.applyLocalizedPattern(wrong);
					else
						new DecimalFormat(wrong, symbols(Locale.US));
				} catch (IllegalArgumentException e) {
					that(e.getMessage() != null, "a reason");
				}
			}
		fails(NullPointerException.class, () -> new DecimalFormat(null, symbols(Locale.US)));
		DecimalFormatSymbols s = symbols(Locale.US);
		s.setDecimalSeparator(';');
		s.setGroupingSeparator('\'');
		DecimalFormat f = new DecimalFormat("#,##0.0;-0", s);
		patterns(f);
		numbers(f);
	}

	public static void main(String[] args) {
		for (String body : BODIES)
			for (String a : AFFIXES) {
				shape(body, LOCALES[body.length() % LOCALES.length], a.isEmpty());
				shape(a + body, Locale.US, false);
				shape(body + a, Locale.US, false);
				shape(body + ";" + a + body, Locale.US, false);
				shape(body + ";" + body + a, LOCALES[a.length() % LOCALES.length], false);
				shape(a + body + a + ";" + body, Locale.US, false);
				shape(a + body + ";" + "-" + a + body, Locale.US, false);
			}
		shape("0;x-0", Locale.US, false);
		shape("0;0x-", Locale.US, false);
		digits();
		mistakes();
		done("decimal");
	}
}
