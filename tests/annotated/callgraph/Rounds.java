// SPDX-License-Identifier: Apache-2.0
// What reflection runs calls what was looked at before: new callers with other names, new targets that give other names, new receivers
// of old calls. Classes are initialised one after the other, each since the one before it was.
package rounds;

class Giver {
	String name() {
		return "rounds.First";
	}
}

class LaterGiver extends Giver {
	@Override
	String name() {
		return "rounds.Third";
	}
}

interface Finder {
	void find(String name) throws Exception;
}

class Plain implements Finder {
	public void find(String name) throws Exception {
		Class.forName(name); // runs: usual={Fourth.<clinit> Fifth.<clinit>} ; resolved
	}
}

class Special extends Plain {
	@Override
	public void find(String name) throws Exception {
		super.find("rounds.Fourth");
	}
}

class First {
	static int made = Rounds.load("rounds.Second"); // reached: usual={First.<clinit>}
}

class Second {
	static int made = Rounds.more(); // reached: usual={Second.<clinit>}
}

class Third {
	static int made = Rounds.load("rounds.Sixth"); // reached: usual={Third.<clinit>}
}

class Fourth {
	static int made = Rounds.nothing(); // reached: usual={Fourth.<clinit>}
}

class Fifth {
	static int made = Rounds.nothing(); // reached: usual={Fifth.<clinit>}
}

class Sixth {
	static int made = Rounds.nothing(); // reached: usual={Sixth.<clinit>}
}

public class Rounds {
	static Giver giver = new Giver();
	static Finder finder = new Special();

	static int nothing() {
		return 0;
	}

	static int load(String name) {
		try {
			Class.forName(name); // runs: usual={Second.<clinit> Sixth.<clinit>} ; resolved
		} catch (ClassNotFoundException e) {
			return 1;
		}
		return 0;
	}

	static int more() {
		giver = new LaterGiver();
		finder = new Plain();
		return 0;
	}

	static void given() throws Exception {
		Class.forName(giver.name()); // runs: usual={First.<clinit> Third.<clinit>} ; resolved
	}

	static void givenAgain() throws Exception {
		Class.forName(giver.name()); // runs: usual={First.<clinit> Third.<clinit>} ; resolved
	}

	public static void main(String[] args) throws Exception {
		given();
		givenAgain();
		finder.find("rounds.Fifth");
	}
}
