// SPDX-License-Identifier: Apache-2.0
package shop;

/** What the application holds: the watcher is told; without it, nothing happens. */
final class Held {
	static boolean isWatched;

	static native void see(Object o);
	static native void begin();

	static <T> T held(T o) {
		if (isWatched)
			see(o);
		return o;
	}
}
