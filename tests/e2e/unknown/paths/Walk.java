/* SPDX-License-Identifier: Apache-2.0 */
package api;

import java.util.Iterator;

/** What an engine calls back. */
public interface Walk {
	Iterator<?> below(Object node);

	String name(Object node);
}
