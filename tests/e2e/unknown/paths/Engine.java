/* SPDX-License-Identifier: Apache-2.0 */
package api;

/** What engines are known as. */
public abstract class Engine {
	public abstract int select(Object from, Walk walk);
}
