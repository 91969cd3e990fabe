// SPDX-License-Identifier: Apache-2.0
public class Hidden implements java.util.function.Supplier<String> {
	public String get() { return "hidden"; }
}
