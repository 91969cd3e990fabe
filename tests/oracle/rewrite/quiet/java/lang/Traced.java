// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** What tracer.c calls: does next to nothing, so that the whole of java.base can call it from its first moment on. */
public final class Traced {
	static int events;

	public static int enteredInt(int id) {
		events++;
		return id;
	}

	public static Object enteredFrame(int id) {
		events++;
		return null;
	}

	public static void before(Object receiver, int position, int id) {
		events++;
	}

	public static void before(Object receiver, Object position, int id) {
		events++;
	}

	public static void before(int position, int id) {
		events++;
	}

	public static void before(Object position, int id) {
		events++;
	}

	public static void construct(int position, int id) {
		events++;
	}

	public static void construct(Object position, int id) {
		events++;
	}

	public static void after(int position, int id) {
		events++;
	}

	public static void after(Object position, int id) {
		events++;
	}

	public static void caught(int position, int id) {
		events++;
	}

	public static void caught(Object position, int id) {
		events++;
	}

	public static void exited(int position, int id) {
		events++;
	}

	public static void exited(Object position, int id) {
		events++;
	}

	public static void left(int position, int id) {
		events++;
	}

	public static void left(Object position, int id) {
		events++;
	}
}
