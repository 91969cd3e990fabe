// SPDX-License-Identifier: Apache-2.0
package shapes.api;

public class Task implements Runnable {
	public void run() {
	}
}
