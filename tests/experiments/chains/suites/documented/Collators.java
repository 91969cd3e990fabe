// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of RuleBasedCollator, CollationKey and CollationElementIterator.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.text.CollationElementIterator;
import java.text.CollationKey;
import java.text.Collator;
import java.text.ParseException;
import java.text.RuleBasedCollator;

public final class Collators {
	static final String SIMPLE = "< a < b < c < d";
	static final String NORWEGIAN = "< a, A < b, B < c, C < d, D < e, E < z, Z < ae, AE < aa, AA";

	static void order() throws ParseException {
		RuleBasedCollator simple = new RuleBasedCollator(SIMPLE);
		that(simple.compare("abc", "abd") < 0, "c before d");
		that(simple.compare("b", "a") > 0, "b after a");
		same(0, simple.compare("dad", "dad"));
		that(simple.compare("ab", "abc") < 0, "shorter");
		that(simple.equals("cab", "cab"), "equal");
		that(simple.getRules().contains("b"), "rules");
	}

	static void strength() throws ParseException {
		RuleBasedCollator c = new RuleBasedCollator(NORWEGIAN);
		that(c.compare("A", "a") > 0, "tertiary");
		c.setStrength(Collator.PRIMARY);
		same(0, c.compare("A", "a"));
		that(c.equals("aB", "Ab"), "equal by primary strength");
		c.setStrength(Collator.IDENTICAL);
		c.setDecomposition(Collator.CANONICAL_DECOMPOSITION);
		that(!c.equals("A", "a"), "identical only");
		fails(IllegalArgumentException.class, () -> c.setStrength(77));
	}

	static void keys() throws ParseException {
		RuleBasedCollator c = new RuleBasedCollator(NORWEGIAN);
		CollationKey[] keys = { c.getCollationKey("zd"), c.getCollationKey("aab"), c.getCollationKey("bad") };
		that(keys[0].compareTo(keys[1]) < 0, "aa is last");
		that(keys[2].compareTo(keys[0]) < 0, "b before z");
		same(0, keys[0].compareTo(c.getCollationKey("zd")));
		same(null, c.getCollationKey(null));
	}

	static void elements() throws ParseException {
		CollationElementIterator i = new RuleBasedCollator(SIMPLE).getCollationElementIterator("abcd");
		int forward = 0;
		int backward = 0;
		while (i.next() != CollationElementIterator.NULLORDER)
			forward++;
		same(4, forward);
		i.setOffset(4);
		while (i.previous() != CollationElementIterator.NULLORDER)
			backward++;
		same(4, backward);
		i.setOffset(2);
		that(i.next() != CollationElementIterator.NULLORDER, "from the middle");
	}

	static void mistakes() {
		fails(ParseException.class, () -> new RuleBasedCollator(""));
		fails(ParseException.class, () -> new RuleBasedCollator("< a < & b"));
	}

	public static void main(String[] args) throws ParseException {
		order();
		strength();
		keys();
		elements();
		mistakes();
		done("collator");
	}
}
