// SPDX-License-Identifier: Apache-2.0
package station;

final class Wire {
	static final StringBuilder log = new StringBuilder();
}

/* The four kinds of link. Nobody outside knows them by name, and nobody at all makes one that traces. */

class PlainLink extends Link {
	public void carry(String text) {
		Wire.log.append(text);
	}
}

class UrgentLink extends Link {
	public void carry(String text) {
		Wire.log.append('!').append(text);
	}
}

class CipherLink extends Link {
	public void carry(String text) {
		Wire.log.append(text.length());
	}
}

class TracingLink extends Link {
	public void carry(String text) {
		Wire.log.append("trace ").append(text);
	}
}
