// SPDX-License-Identifier: Apache-2.0
package p;

/** Methods that only its own package may override. */
public class Base {
	String own() { return "p.Base"; }
	protected String open() { return "p.Base"; }
	private String secret() { return "p.Base"; }

	public static String callOwn(Base b) { return b.own(); }
	public static String callOpen(Base b) { return b.open(); }
	public static String callSecret(Base b) { return b.secret(); }
}
