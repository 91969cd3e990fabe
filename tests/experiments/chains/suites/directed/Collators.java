// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: contractions, expansions, vowels that are swapped, all lengths.
package suites.directed;

import static suites.Check.done;
import static suites.Check.same;
import static suites.Check.that;

import java.text.CollationElementIterator;
import java.text.CollationKey;
import java.text.Collator;
import java.text.ParseException;
import java.text.RuleBasedCollator;

public final class Collators {
	/** Vowels and consonants of Thai and Lao contract, and some expand. Where '!' follows, vowels are swapped with what comes after
	 * them; where '@' does, accents are compared from the end. */
	static final String RULES = "='\u200d' ; '\u0301' ; '\u0300', '\u0302' < a, A < b, B < c, C < ch, CH < d, D < e, E & ae ; '\u00e6' & AE ; '\u00c6'"
			+ " < '\u0e01' < '\u0e02' < '\u0e03' < '\u0e04' < '\u0e40' < '\u0e41'"
			+ " < '\u0e81' < '\u0e82' < '\u0e84' < '\u0e87' < '\u0ec0' < '\u0ec1'"
			+ " < '\u0e02'a < '\u0e82'a < a'\u0e40' < a'\u0ec0' < '\u0e40'c < '\u0ec0'c < b'\u0e02' < b'\u0e82'"
			+ " & ab ; '\u0e03' & ab ; '\u0e84' & ba ; '\u0e41' & ba ; '\u0ec1' & '\u0301\u0300' ; '\u0345'";
	static final String[] TEXTS = { "", "a", "A", "ab", "chb", "c", "\u00e6", "\u00c6b", "a\u0301", "a\u0301b",
			"\u00e1", "\u0301\u0301", "a\u0301\u0300", "\u0345", "b\u0345", "a\u0302", "b\u200d", "q",
			"\ud801\udc00",
			"\u0e40", "\u0e40\u0e01", "\u0e40\u0e02", "\u0e40\u0e02a", "\u0e40\u0e03", "\u0e41\u0e01",
					"\u0e41\u0e03", "\u0e40b", "a\u0e40\u0e02", "\u0e41\u0e02a", "a\u0e40",
			"\u0ec0", "\u0ec0\u0e81", "\u0ec0\u0e82", "\u0ec0\u0e82a", "\u0ec0\u0e84", "\u0ec1\u0e81",
					"\u0ec1\u0e84", "\u0ec0b", "a\u0ec0\u0e82", "\u0ec1\u0e82a", "a\u0ec0",
			"\u0e40ca", "\u0ec0c", "b\u0e02", "b\u0e82", "\u0e02a", "\u0e82a" };

	static RuleBasedCollator of(String more) throws ParseException {
		return new RuleBasedCollator(RULES + more);
	}

	static int sign(int n) {
		return Integer.signum(n);
	}

	static void pairs(RuleBasedCollator c) {
		for (String a : TEXTS)
			for (String b : new String[] { a, "", "b", "a\u0301" }) {
				for (String before : new String[] { "", "c" }) {
					same(sign(c.compare(before + a, before + b)), -sign(c.compare(before + b,
							before + a)));
					same(c.compare(before + a, before + b) == 0, c.equals(before + a, before + b));
				}
				c.compare("\u0345" + a, "");
				c.compare("", "\u0345" + a);
				c.equals("\u0345" + a, "");
				c.equals("", "\u0345" + a);
				c.compare("\u0301" + a, b);
				c.compare(a, "\u0301" + b);
				c.equals("\u0301\u0300" + a, "");
				c.equals("", "\u0301\u0300" + a);
				c.compare("\u0301\u0300" + a, "");
				c.compare("", "\u0301\u0300" + a);
			}
	}

	static void keys(RuleBasedCollator c) {
		for (String a : TEXTS)
			for (String b : new String[] { "", "b", "a\u0301\u0300b" }) {
				CollationKey ka = c.getCollationKey(a + b);
				same(0, ka.compareTo(c.getCollationKey(a + b)));
			}
	}

	static void elements(RuleBasedCollator c) {
		for (String a : TEXTS)
			for (String text : new String[] { a, a + "b", "c" + a, a + "ch" + a }) {
				CollationElementIterator i = c.getCollationElementIterator(text);
				for (int at = 0; at <= text.length(); at++) {
					i.setOffset(at);
					i.next();
					i.setOffset(at);
					i.previous();
				}
				i.setOffset(0);
				int n = 0;
				while (i.next() != CollationElementIterator.NULLORDER)
					n++;
				while (i.previous() != CollationElementIterator.NULLORDER)
					n--;
				that(n <= text.length(), "elements of " + text);
			}
	}

	/** Each way to the first iterators of a collator. */
	static void fresh() throws ParseException {
		that(of("").equals("a", "a"), "equal");
		same(0, of("").compare("ch", "ch"));
		same(0, of("").getCollationKey("ch").compareTo(of("").getCollationKey("ch")));
		RuleBasedCollator c = of("");
		c.getCollationKey("a");
		same(0, c.compare("a", "a"));
		c = of("");
		c.getCollationKey("a");
		that(c.equals("a", "a"), "equal");
	}

	static void all(String more) throws ParseException {
		for (int strength = Collator.PRIMARY; strength <= Collator.IDENTICAL; strength++)
			for (int mode = Collator.NO_DECOMPOSITION; mode <= Collator.FULL_DECOMPOSITION; mode++) {
				RuleBasedCollator c = of(more);
				c.setStrength(strength);
				c.setDecomposition(mode);
				if (mode == Collator.NO_DECOMPOSITION && strength == Collator.TERTIARY)
					pairs(c);
				c.equals("a\u0301", "a\u0301");
				c.compare("a\u0301", "a\u0301");
				c.getCollationKey("a\u0301");
				if (mode == Collator.NO_DECOMPOSITION && strength == Collator.TERTIARY) {
					keys(c);
					elements(c);
				}
			}
	}

	public static void main(String[] args) throws ParseException {
		fresh();
		all(" < z!");
		all(" < z! < y@");
		done("collator");
	}
}
