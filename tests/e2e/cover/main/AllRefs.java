// SPDX-License-Identifier: Apache-2.0
package main;

import refs.Refs;

/** Exercises every lambda and method reference of Refs. */
public class AllRefs {
	public static void main(String[] arguments) {
		Refs refs = new Refs();
		for (int i = 0; i < Refs.OPS; i++)
			refs.run(refs.op(i));
		for (int i = 0; i < Refs.MAKERS; i++)
			refs.make(refs.maker(i));
	}
}
