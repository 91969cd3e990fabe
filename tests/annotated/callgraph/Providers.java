// SPDX-License-Identifier: Apache-2.0
// Security providers of the program: what they register by constants is found; what else there is nobody knows.
package providers;

import java.security.MessageDigestSpi;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;

class Mine extends Provider {
	Mine(String part) {
		super("Mine", "1", "of the program");
		put("MessageDigest.Sum", "providers.Providers$Sum");
		put("Alg.Alias.MessageDigest.Total", "Sum");
		put("MessageDigest.Other", "providers.Providers$" + part);
		putService(new Provider.Service(this, "MessageDigest", "Product", "providers.Providers$Product", null, null));
	}
}

public class Providers {
	public static class Sum extends MessageDigestSpi {
		public Sum() {
		}

		protected void engineUpdate(byte b) {
		}

		protected void engineUpdate(byte[] b, int from, int n) {
		}

		protected byte[] engineDigest() {
			return new byte[1];
		}

		protected void engineReset() {
		}
	}

	public static class Product extends Sum {
		public Product() {
		}

		protected byte[] engineDigest() {
			return new byte[2];
		}
	}

	public static class Other extends Sum {
		public Other() {
		}
	}

	public static void main(String[] args) throws Exception {
		Security.addProvider(new Mine(args[0]));
		MessageDigest.getInstance("Total").digest(); // unresolved: reflection ; reached: usual={Providers$Sum.<init> Providers$Sum.engineDigest}
		MessageDigest.getInstance("product").digest(); // reached: usual={Providers$Product.<init> Providers$Product.engineDigest} ; unreached: usual={Providers$Other.<init> MD2.<init>}
		MessageDigest.getInstance("Other").digest(); // unresolved: reflection
	}
}
