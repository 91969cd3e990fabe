// SPDX-License-Identifier: Apache-2.0
// Directed at chains that the documented suite leaves: every move from every place, with texts of all kinds, and with none.
package suites.directed;

import static suites.Check.done;
import static suites.Check.same;
import static suites.Check.that;

import java.text.BreakIterator;
import java.text.StringCharacterIterator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import suites.Unwilling;
import sun.util.locale.provider.BreakIteratorProviderImpl;
import sun.util.locale.provider.LocaleProviderAdapter;

public final class Boundaries {
	static final BreakIteratorProviderImpl MAKER = new BreakIteratorProviderImpl(LocaleProviderAdapter.Type.JRE,
			new HashSet<>());
	static final String THAI = "\u0e1c\u0e39\u0e49\u0e2b\u0e0d\u0e34\u0e07\u0e01\u0e34\u0e19\u0e02\u0e49\u0e32\u0e27";
	static final String[] TEXTS = { "", "a", "one two. Three", "a\u0301b\u0301\u0301c",
			"\ud801\udc00\ud801\udc01x \ud840\udc00.", "x\ud801", "\udc00y", "a\udc00b c\udc00\udc00 d",
			THAI, "an " + THAI + " end",
			THAI + "\u0e46 " + THAI, "\u200d\u200da", "(\"1,234.56\"). A", "\u0e01",
					"\u0e01\u0e02a\u0e01", "\u00ad\u00ad", "\ud834\udd73\ud834\udd74a",
					"$1.5%\n\r\nx",
			"\u0e40\u0e40\u0e40\u0e40", "x" + THAI + "\ud801\udc00" + THAI, "\u0301\u0301", THAI
					+ "\u0301\u0301\u200d" };

	/** Words and sentences, Thai words and lines: the rules that look ahead or leave characters out. */
	static final int[] RULES = { 1, 3, 5, 6 };
	static final String[] LETTERS = { "a", "A", ".", "?", " ", "1", ",", "(", "\"", "\n", "\r", "\u0301", "\u00ad", "\u0600", "\u200d",
			"\u3042", "\u4e00", "\ud801\udc00", "\ud80d\udc30", "\ud801", "\udc00", "\u0e01" };
	static final String[] LEFT_OUT = { "a", "A", ".", " ", "1", "\n", "\u00ad", "\u0600", "\u0600" };
	static final String[] THAI_LETTERS = { "\u0e01", "\u0e02", "\u0e04", "\u0e19", "\u0e40", "\u0e32", "\u0e34", "\u0e49", "\u0e46",
			"\u0e2f", "\u0e01\u0e34\u0e19", "\u0e02\u0e49\u0e32\u0e27", "\u0e1c\u0e39\u0e49", "\u0300", "\u00ad", " ", ".", "(", "a" };

	static BreakIterator make(int kind) {
		Locale l = kind < 4 ? Locale.US : new Locale("th");
		switch (kind % 4) {
		case 0:
			return MAKER.getCharacterInstance(l);
		case 1:
			return MAKER.getWordInstance(l);
		case 2:
			return MAKER.getLineInstance(l);
		default:
			return MAKER.getSentenceInstance(l);
		}
	}

	static void set(BreakIterator i, String text, int how) {
		if (how == 0)
			i.setText(text);
		else if (how == 1)
			i.setText(new StringCharacterIterator(text));
		else
			i.setText(new Unwilling(text));
	}

	static List<Consumer<BreakIterator>> moves(int at) {
		return List.of(i -> i.first(), i -> i.last(), i -> i.next(), i -> i.previous(), i -> i.next(2),
				i -> i.next(-2), i -> i.next(0), i -> i.current(), i -> i.following(at),
				i -> i.preceding(at), i -> i.isBoundary(at), i -> i.getText());
	}

	static void attempt(Consumer<BreakIterator> move, BreakIterator i) {
		try {
			move.accept(i);
		} catch (IllegalArgumentException e) {
			same(IllegalArgumentException.class, e.getClass());
		}
	}

	/** A move of a new iterator, without a text. */
	static void withoutText(int kind) {
		for (int m = 0; m < 12; m++)
			attempt(moves(0).get(m), make(kind));
	}

	/** Each move, to each kind of place and from the start or the middle. */
	static void places(int kind, String text, int how) {
		BreakIterator i = make(kind);
		int middle = text.length() / 2;
		for (int at : new int[] { 0, 1, middle, text.length() - 1, text.length() })
			for (int from : new int[] { 0, middle })
				for (Consumer<BreakIterator> move : moves(at)) {
					set(i, text, how);
					if (from > 0)
						i.following(from);
					attempt(move, i);
				}
		for (int at = 0; at <= text.length(); at++) {
			set(i, text, how);
			i.last();
			i.previous();
			i.last();
			if (at % 2 == 0)
				i.previous();
			else
				i.next(-1);
			attempt(moves(at).get(at % 3 + 8), i);
		}
	}

	/** What wraps a text for one iterator is the text of another. */
	static void handedOn(int kind, String text) {
		BreakIterator i = make(kind);
		set(i, text, 2);
		BreakIterator other = make(kind);
		other.setText(i.getText());
		same(i.last(), other.last());
	}

	static void bothWays(int kind, String text, int how) {
		BreakIterator i = make(kind);
		set(i, text, how);
		List<Integer> forward = new ArrayList<>();
		List<Integer> backward = new ArrayList<>();
		for (int at = i.first(); at != BreakIterator.DONE; at = i.next())
			forward.add(at);
		for (int at = i.last(); at != BreakIterator.DONE; at = i.previous())
			backward.add(at);
		Collections.reverse(backward);
		same(forward, backward);
	}

	/** Texts of characters that rules tell apart, combined at random, but always the same. */
	static List<String> mixed(String[] letters, int number, int length) {
		Random random = new Random(number);
		List<String> texts = new ArrayList<>();
		for (int n = 0; n < number; n++) {
			StringBuilder text = new StringBuilder();
			for (int k = 0; k < length; k++)
				text.append(letters[random.nextInt(letters.length)]);
			texts.add(text.toString());
		}
		return texts;
	}

	/** Each move, from each place. */
	static void everywhere(int kind, String text, int how) {
		BreakIterator i = make(kind);
		for (int at = 0; at <= text.length(); at++)
			for (Consumer<BreakIterator> move : moves(at)) {
				set(i, text, how);
				attempt(move, i);
				attempt(move, i);
				i.last();
				attempt(move, i);
			}
	}

	public static void main(String[] args) {
		for (int kind : RULES)
			for (int how = 1; how < 3; how++) {
				for (String text : mixed(LETTERS, 10, 8))
					everywhere(kind, text, how);
				for (String text : mixed(LEFT_OUT, 12, 7))
					everywhere(kind, text, how);
				for (String text : mixed(THAI_LETTERS, 20, 10))
					everywhere(kind, text, how);
			}
		for (int kind = 0; kind < 8; kind++) {
			withoutText(kind);
			handedOn(kind, TEXTS[2]);
			for (String text : TEXTS)
				for (int how = 0; how < 3; how++) {
					bothWays(kind, text, how);
					if (kind == 1 || kind == 5)
						places(kind, text, how);
				}
		}
		done("boundary");
	}
}
