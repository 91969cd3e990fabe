// SPDX-License-Identifier: Apache-2.0
package rec;

/* Its initialiser throws: whoever asks first, gets the exception. */
public class Broken {
	static int never = Integer.parseInt("none");

	public static void run() {
	}
}
