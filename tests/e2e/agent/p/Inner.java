// SPDX-License-Identifier: Apache-2.0
package p;

/** Overrides across a class of another package; public from here on, so that everybody below may override. */
public class Inner extends q.Outside {
	@Override public String own() { return "p.Inner"; }
	private String secret() { return "p.Inner"; }
}
