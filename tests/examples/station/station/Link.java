// SPDX-License-Identifier: Apache-2.0
package station;

/** A way out of the station. */
public abstract class Link {
	public abstract void carry(String text);
}
