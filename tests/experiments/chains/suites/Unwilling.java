// SPDX-License-Identifier: Apache-2.0
package suites;

import java.text.CharacterIterator;

/** An iterator that refuses the index after its last character, as many did before the documentation allowed it. */
public final class Unwilling implements CharacterIterator {
	private final String text;
	private int at;

	public Unwilling(String text) {
		this.text = text;
	}

	private char here() {
		return at < text.length() ? text.charAt(at) : DONE;
	}

	@Override
	public char first() {
		at = 0;
		return here();
	}

	@Override
	public char last() {
		at = Math.max(0, text.length() - 1);
		return here();
	}

	@Override
	public char current() {
		return here();
	}

	@Override
	public char next() {
		if (at + 1 >= text.length())
			return DONE;
		at++;
		return here();
	}

	@Override
	public char previous() {
		if (at == 0)
			return DONE;
		at--;
		return here();
	}

	@Override
	public char setIndex(int position) {
		if (position < 0 || position >= text.length())
			throw new IllegalArgumentException("index " + position);
		at = position;
		return here();
	}

	@Override
	public int getBeginIndex() {
		return 0;
	}

	@Override
	public int getEndIndex() {
		return text.length();
	}

	@Override
	public int getIndex() {
		return at;
	}

	@Override
	public Object clone() {
		Unwilling copy = new Unwilling(text);
		copy.at = at;
		return copy;
	}
}
