/* SPDX-License-Identifier: Apache-2.0 */
package plainly;

/** Has no classes that the component could meet. */
public class Plainly {
	public static void main(String[] args) {
		System.out.println(new doc.Doc().save());
	}
}
