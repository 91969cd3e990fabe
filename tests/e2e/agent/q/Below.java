// SPDX-License-Identifier: Apache-2.0
package q;

public class Below extends p.Inner {
	@Override public String own() { return "q.Below"; }
}
