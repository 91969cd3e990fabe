// SPDX-License-Identifier: Apache-2.0
// Written from the API documentation of BreakIterator.
package suites.documented;

import static suites.Check.done;
import static suites.Check.fails;
import static suites.Check.same;
import static suites.Check.that;

import java.text.BreakIterator;
import java.text.StringCharacterIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import sun.util.locale.provider.BreakIteratorProviderImpl;
import sun.util.locale.provider.LocaleProviderAdapter;

public final class Boundaries {
	/** It makes what getWordInstance and its like return. */
	static final BreakIteratorProviderImpl MAKER = new BreakIteratorProviderImpl(LocaleProviderAdapter.Type.JRE,
			new HashSet<>());

	static List<Integer> all(BreakIterator i, String text) {
		List<Integer> found = new ArrayList<>();
		i.setText(text);
		for (int at = i.first(); at != BreakIterator.DONE; at = i.next())
			found.add(at);
		return found;
	}

	static void kinds() {
		same(List.of(0, 1, 2, 3), all(MAKER.getCharacterInstance(Locale.US), "abc"));
		same(List.of(0, 3, 4, 7, 8), all(MAKER.getWordInstance(Locale.US), "one two."));
		same(List.of(0, 4, 8), all(MAKER.getLineInstance(Locale.US), "one two."));
		same(List.of(0, 7, 11), all(MAKER.getSentenceInstance(Locale.US), "First. Two."));
	}

	static void moves() {
		BreakIterator i = MAKER.getWordInstance(Locale.US);
		i.setText(new StringCharacterIterator("one two three"));
		same(13, i.last());
		same(8, i.previous());
		same(8, i.current());
		same(0, i.first());
		same(3, i.next());
		same(7, i.next(2));
		same(3, i.next(-2));
		same(8, i.following(7));
		same(7, i.preceding(8));
		that(i.isBoundary(4), "a boundary");
		that(!i.isBoundary(5), "no boundary");
		same(7, i.current());
		that(i.getText() != null, "a text");
		i.last();
		same(BreakIterator.DONE, i.next());
		i.first();
		same(BreakIterator.DONE, i.previous());
		fails(IllegalArgumentException.class, () -> i.following(50));
	}

	public static void main(String[] args) {
		kinds();
		moves();
		done("boundary");
	}
}
