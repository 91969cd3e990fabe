// SPDX-License-Identifier: Apache-2.0
package station;

/** Where links for others come from. */
public class Exchange {
	private boolean encrypts;

	public void encrypt() {
		encrypts = true;
	}

	public Link open() {
		return encrypts ? new CipherLink() : new PlainLink();
	}
}
