// SPDX-License-Identifier: Apache-2.0
package q;

/** Looks as if it overrode own(): it does not. */
public class Outside extends p.Base {
	String own() { return "q.Outside"; }
	@Override protected String open() { return "q.Outside"; }
	public static String callOwn(Outside o) { return o.own(); }
}
