// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of DecimalFormat, NumberFormat and DecimalFormatSymbols.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.Locale;

public final class Decimals {
	static DecimalFormat of(String pattern) {
		return new DecimalFormat(pattern, new DecimalFormatSymbols(Locale.US));
	}

	static void format() {
		same("1,234.57", of("#,##0.00").format(1234.567));
		same("-1,234.5", of("#,##0.###").format(-1234.5));
		same("(12)", of("0;(0)").format(-12));
		same("45%", of("0%").format(0.45));
		same("1.234E4", of("0.###E0").format(12340));
		same("007", of("000").format(7L));
		same("\u221e", of("0").format(Double.POSITIVE_INFINITY));
		same("NaN", of("0").format(Double.NaN));
		same("$5.00", of("\u00a40.00").format(5));
	}

	static void fields() {
		FieldPosition integer = new FieldPosition(NumberFormat.INTEGER_FIELD);
		same("-1,234.5", of("#,##0.0").format(-1234.5, new StringBuffer(), integer).toString());
		same(1, integer.getBeginIndex());
		FieldPosition fraction = new FieldPosition(NumberFormat.FRACTION_FIELD);
		same("17.0", of("0.0").format(17L, new StringBuffer(), fraction).toString());
		same(3, fraction.getBeginIndex());
	}

	static Number parse(String pattern, String text) {
		return of(pattern).parse(text, new ParsePosition(0));
	}

	static void parse() {
		same(1234L, parse("#,##0", "1,234"));
		same(-0.5, parse("0.0", "-0.5"));
		same(1200L, parse("0E0", "1.2E3"));
		same(0.25, parse("0%", "25%"));
		same(Double.NEGATIVE_INFINITY, parse("0", "-\u221e"));
		same(null, parse("0", "none"));
		ParsePosition pos = new ParsePosition(1);
		same(42L, of("0").parse("x42y", pos));
		same(3, pos.getIndex());
	}

	static void patterns() {
		DecimalFormat f = of("#,##0.00");
		same("#,##0.00", f.toPattern());
		f.applyPattern("0.#;(0.#)");
		same("(1.5)", f.format(-1.5));
		DecimalFormatSymbols s = new DecimalFormatSymbols(Locale.US);
		s.setDecimalSeparator(',');
		s.setGroupingSeparator('.');
		f.setDecimalFormatSymbols(s);
		same("(1,5)", f.format(-1.5));
		f.applyLocalizedPattern("#.##0,00");
		same("#.##0,00", f.toLocalizedPattern());
		same("1.000,00", f.format(1000L));
		fails(IllegalArgumentException.class, () -> f.applyPattern("0.0.0"));
	}

	static void digits() {
		DecimalFormat f = of("0.###");
		f.setMaximumFractionDigits(1);
		same("2.3", f.format(2.345));
		f.setMinimumFractionDigits(2);
		same("2.50", f.format(2.5));
		f.setMinimumIntegerDigits(3);
		same("002.50", f.format(2.5));
		f.setMaximumIntegerDigits(2);
		same("34.00", f.format(1234L));
		f.setMultiplier(10);
		f.setNegativePrefix("minus ");
		same("minus 50.00", f.format(-5));
		f.applyPattern("#,##0");
		f.setGroupingSize(2);
		same("1,23", f.format(123L));
	}

	public static void main(String[] args) {
		format();
		fields();
		parse();
		patterns();
		digits();
		done("decimal");
	}
}
