// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: each letter of patterns, with symbols or by locale, and calendars of other eras.
package suites.directed;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.text.DateFormatSymbols;
import java.text.ParseException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

public final class Dates {
	static final String LETTERS = "GyMdkHmsSEDFwWahKzZYuXL";
	static final Locale JAPAN = new Locale("ja", "JP", "JP");
	static final Locale THAILAND = new Locale("th", "TH", "TH");
	static final String[] ZONES = { "GMT", "America/Los_Angeles" };
	static final Date[] DATES = { new Date(994288136789L), new Date(-62198755200000L), new Date(1704067200000L),
			new Date(-1000) };
	/** What a field may look like, right and wrong. */
	static final String[] FIELDS = { "GMT", "GMT+1:30", "GMT-10:00", "GMT+", "GMT+x", "gmt+9", "PST", "PDT",
			"Pacific Standard Time", "CET", "JST", "XXX", "+0130", "-1000", "+01:30",
			"-01", "+1", "+2500", "Z", "z", "-5", "12", "0", "24", "25", "AM", "PM", "AD", "BC", "July",
					"Jul", "Wednesday", "Wed", "H", "Heisei", "\u5e73\u6210", "\u5143", "none", "",
			"3", "2001", "01", "13-" };

	static List<SimpleDateFormat> formats(String pattern) {
		List<SimpleDateFormat> made = new ArrayList<>();
		made.add(new SimpleDateFormat(pattern, Locale.US));
		made.add(new SimpleDateFormat(pattern, JAPAN));
		made.add(new SimpleDateFormat(pattern, THAILAND));
		DateFormatSymbols symbols = new DateFormatSymbols(Locale.US);
		symbols.setMonths(symbols.getMonths());
		made.add(new SimpleDateFormat(pattern, symbols));
		return made;
	}

	static String times(char c, int n) {
		return String.valueOf(c).repeat(n);
	}

	/** Both ways to parse. The zone that a text names becomes that of the format, so that they need not agree. */
	static void tryParse(SimpleDateFormat f, String text) {
		ParsePosition pos = new ParsePosition(0);
		f.parse(text, pos);
		try {
			that(f.parse(text) != null, "a date");
		} catch (ParseException e) {
			that(e.getMessage() != null, "a reason");
		}
	}

	static void letters(SimpleDateFormat f) {
		for (String zone : ZONES) {
			f.setTimeZone(TimeZone.getTimeZone(zone));
			for (Date d : DATES)
				tryParse(f, f.format(d));
			for (String text : FIELDS) {
				f.setTimeZone(TimeZone.getTimeZone(zone));
				tryParse(f, text);
			}
			f.setLenient(!f.isLenient());
		}
	}

	/** Fields together: weeks of years, eras and years, numbers that follow each other, and signs between them. */
	static void together() {
		String[] patterns = { "YYYY-ww-u", "YY-ww-u", "YYYY ww EEE", "YYYY u", "ww u", "yyyy MM dd EEE",
				"yyyyMMddHHmmss", "yyyy-MM-dd", "yy-MM-dd", "d-M-y", "yyyy G", "GGGG y", "y", "yy",
				"hh a K:mm",
				"HH-mm-ss-SSS", "yyyy DDD", "MMMM F E W", "w Y", "Y-ww", "z yyyy", "X", "XX XXX",
						"yyyy.MM.dd 'at' \u00ff \u3042 '' EEEE" };
		for (String pattern : patterns)
			for (SimpleDateFormat f : formats(pattern)) {
				for (Date d : DATES)
					tryParse(f, f.format(d));
				f.set2DigitYearStart(DATES[2]);
				same(DATES[2], f.get2DigitYearStart());
				for (String text : new String[] { "24", "24-01-01", "23-12-31", "1-1-24", "2001-27-3",
						"2001-27-9", "24-01--1", "24-01-0", "24-1--9", "2001-27--1",
						"2001 27 Wed", "-5-3-4", "9999-99-99", "24 AD", "2001 9", "0" })
					tryParse(f, text);
				that(f.toPattern() != null, "a pattern");
				that(f.toLocalizedPattern() != null, "a pattern");
			}
	}

	/** A pattern has long runs of letters, long texts and characters that are not ASCII. */
	static void compile() {
		String text = "'" + times('x', 300) + "'";
		String foreign = times('\u3042', 300);
		for (String pattern : new String[] { "yyyyMM", times('y', 300), "yyyy" + text, text + "y", foreign
				+ "y", "y" + foreign + "M", "''y''", "y\u00ffM", "'a''b'", "y'\u3042\u3042'M",
				times('\u00e9', 3),
				"\u00e9y", "y'a\u3042'" })
			for (SimpleDateFormat f : formats(pattern)) {
				f.applyPattern(pattern);
				same(pattern, f.toPattern());
				f.applyLocalizedPattern(f.toLocalizedPattern());
				that(f.format(DATES[0]).length() > 0, "formatted");
			}
		for (String wrong : new String[] { "b", "'", "yy b" })
			for (SimpleDateFormat f : formats("y")) {
				fails(IllegalArgumentException.class, () -> f.applyPattern(wrong));
				fails(IllegalArgumentException.class, () -> new SimpleDateFormat(wrong, Locale.US));
				fails(IllegalArgumentException.class, () -> new SimpleDateFormat(wrong,
						new DateFormatSymbols(Locale.US)));
			}
	}

	public static void main(String[] args) {
		// before any format: classes and locales are new to symbols only once
		same(13, new DateFormatSymbols(new Locale("fr", "", "")).getMonths().length);
		for (char c : LETTERS.toCharArray())
			for (int n : c == 'X' ? new int[] { 1, 2, 3 } : c == 'L' || c == 'M' ? new int[] { 1, 3,
					4 } : new int[] { 1, 4 })
				for (SimpleDateFormat f : formats(times(c, n)))
					letters(f);
		together();
		compile();
		done("date");
	}
}
