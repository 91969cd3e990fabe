// SPDX-License-Identifier: Apache-2.0
package shop;

public interface Rule {
	int apply(Item item);
}
