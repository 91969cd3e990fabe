// SPDX-License-Identifier: Apache-2.0
package cond;

/** Runs every entry: what is called `dead` must not run, and what is called `live` must, where a run can bring it about. */
final class Main {
	private Main() {
	}

	public static void main(String[] args) {
		Params.bool();
		Params.number();
		Params.wide();
		Params.nothing();
		Params.choice();
		Params.cases();
		Params.text();
		Params.type();
		Params.assigned(true);
		Params.counted();
		Params.recursion();
		Params.handled(null);
		Params.ternary(false);
		Params.nested();
		Params.range(10);
		Params.known("", true);
		Params.masked(-1);
		Params.lambda();
		Params.varargs();
		Params.reference();
		Params.receiver();
		Fields.statics();
		Fields.turn();
		Fields.turned();
		Fields f = new Fields();
		f.change();
		f.objects();
		Fields.open(true);
		new Fields.Updated().ask();
		Fields.Cycle.start();
		Fields.parts(6);
		Fields.Shared.shared();
		new Fields.Derived();
		Objects.shapes();
		Objects.results();
		Objects.deep(1);
		Objects.made();
		Objects.thrown();
		kept();
		Seen.check("any", "assigned", "bool", "brother", "caught", "chained", "changed", "counted", "cycle", "default", "dropped", "earlier",
			   "early", "enum", "fall", "finally", "handler", "identity", "int", "lambda", "lost", "null", "on", "open", "other", "outer",
			   "overridden", "peek", "range", "recursion", "reference", "result", "shared", "some", "string", "switch", "ternary", "this",
			   "thrown", "tried", "turned", "twice", "type", "updated", "varargs");
	}

	private static void kept() {
		Kept k = new Kept();
		k.asks(k.clone());
		k.chains();
		k.uses();
		k.usesInner();
		k.stores("text");
		k.checks();
		k.loses();
		k.makesSome(false);
		k.tries(null);
		k.drops();
		new Kept.Early();
	}
}
