// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of SimpleDateFormat, DateFormat and DateFormatSymbols.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.text.DateFormat;
import java.text.DateFormatSymbols;
import java.text.ParseException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

public final class Dates {
	static final Date DATE = new Date(994288136789L);   // 2001-07-04 23:08:56.789 GMT

	static SimpleDateFormat of(String pattern) {
		SimpleDateFormat f = new SimpleDateFormat(pattern, Locale.US);
		f.setTimeZone(TimeZone.getTimeZone("GMT"));
		return f;
	}

	static void format() {
		same("2001.07.04 AD at 23:08:56 GMT", of("yyyy.MM.dd G 'at' HH:mm:ss z").format(DATE));
		same("Wed, Jul 4, '01", of("EEE, MMM d, ''yy").format(DATE));
		same("11 o'clock PM, Greenwich Mean Time", of("hh 'o''clock' a, zzzz").format(DATE));
		same("2001-07-04T23:08:56.789+0000", of("yyyy-MM-dd'T'HH:mm:ss.SSSZ").format(DATE));
		same("2001-W27-3", of("YYYY-'W'ww-u").format(DATE));
	}

	static void parse() throws ParseException {
		same(DATE, of("yyyy-MM-dd HH:mm:ss.SSS").parse("2001-07-04 23:08:56.789"));
		same(DATE, of("yyyy-MM-dd HH:mm:ss.SSS Z").parse("2001-07-05 01:08:56.789 +0200"));
		same(new Date(994204800000L), of("d MMMM yyyy").parse("4 July 2001"));
		ParsePosition pos = new ParsePosition(2);
		same(new Date(994204800000L), of("yyyyMMdd").parse("> 20010704", pos));
		same(null, of("yyyy").parse("none", new ParsePosition(0)));
		fails(ParseException.class, () -> of("yyyy").parse("none"));
	}

	static void leniency() throws ParseException {
		DateFormat f = of("yyyy-MM-dd");
		that(f.isLenient(), "lenient at first");
		same(new Date(994204800000L), f.parse("2001-06-34"));
		f.setLenient(false);
		fails(ParseException.class, () -> f.parse("2001-06-34"));
	}

	static void patterns() {
		SimpleDateFormat f = of("yyyy");
		f.applyPattern("dd MM");
		same("dd MM", f.toPattern());
		same("04 07", f.format(DATE));
		f.applyLocalizedPattern("yyyy MM");
		same("yyyy MM", f.toLocalizedPattern());
		fails(IllegalArgumentException.class, () -> f.applyPattern("yyyy 'open"));
		fails(IllegalArgumentException.class, () -> f.applyPattern("b"));
	}

	static void years() throws ParseException {
		SimpleDateFormat f = of("yy");
		f.set2DigitYearStart(new Date(0));
		same(new Date(0), f.get2DigitYearStart());
		same("99", f.format(f.parse("99")));
	}

	static void symbols() throws ParseException {
		DateFormatSymbols s = new DateFormatSymbols(Locale.US);
		String[] months = s.getMonths();
		months[6] = "Hay month";
		s.setMonths(months);
		SimpleDateFormat f = new SimpleDateFormat("d MMMM yyyy", s);
		f.setTimeZone(TimeZone.getTimeZone("GMT"));
		same("4 Hay month 2001", f.format(DATE));
		same(new Date(994204800000L), f.parse("4 Hay month 2001"));
	}

	public static void main(String[] args) throws ParseException {
		format();
		parse();
		leniency();
		patterns();
		years();
		symbols();
		done("date");
	}
}
