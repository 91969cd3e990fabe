// SPDX-License-Identifier: Apache-2.0
package shop;

public interface Metal {
	int weigh();
}
