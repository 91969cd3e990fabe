// SPDX-License-Identifier: Apache-2.0
// Lambdas and method references: captures, all kinds of references, bridges, intersections, serializable ones.
package lambdas;

import java.io.Serializable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

interface Action {
	void act();
}

interface Marker {
	default void mark() {
	}
}

interface Typed<T> {
	void take(T t);
}

interface PlainTyped {
	void take(String s);
}

interface Bridged extends Typed<String>, PlainTyped {
}

interface StringTyped extends Typed<String> {
	void take(String s);
}

class Thing {
	Thing() {
	}

	Thing(int n) {
	}

	int size() {
		return 1;
	}

	static int add(int a, int b) {
		return a + b;
	}

	void each(Consumer<Thing> c) {
		c.accept(this); // calls: both>={Lambdas$lambda.accept}
	}
}

class SubThing extends Thing {
	int size() {
		return 2;
	}

	Supplier<Integer> own() {
		return super::size;
	}
}

class Never extends Thing {
	int size() {
		return 3;
	}
}

public class Lambdas {
	static void called(String from) {
	}

	void instance() {
		Action a = () -> called(toString()); // calls called: both={Lambdas.called} ; edge: both={Lambdas$lambda.act->Lambdas.lambda$instance$0}
		a.act(); // calls: both={Lambdas$lambda.act}
	}

	static void varargs(Object... all) {
	}

	static void references() {
		IntBinaryOperator add = Thing::add;
		add.applyAsInt(1, 2); // calls: rta>={Lambdas$lambda.applyAsInt} ; edge: both={Lambdas$lambda.applyAsInt->Thing.add}
		ToIntFunction<Thing> size = Thing::size;
		size.applyAsInt(new SubThing()); // edge: rta={Lambdas$lambda.applyAsInt->SubThing.size Lambdas$lambda.applyAsInt->Thing.size} ; edge: cha={Lambdas$lambda.applyAsInt->Never.size}
		Thing t = new Thing();
		Supplier<Integer> bound = t::size;
		bound.get(); // calls: rta>={Lambdas$lambda.get} ; edge: both={Lambdas$lambda.get->Thing.size Lambdas$lambda.get->SubThing.size}
		Supplier<Thing> make = Thing::new; // edge: both={Lambdas$lambda.get->Thing.<init>()V}
		make.get();
		Function<Integer, Thing> sized = Thing::new; // edge: both={Lambdas$lambda.apply->Thing.<init>(I)V Lambdas$lambda.apply->Integer.intValue}
		sized.apply(3);
		IntFunction<Thing[]> array = Thing[]::new;
		array.apply(3); // reached: both={Lambdas.lambda$references$1}
		Consumer<Object> var = Lambdas::varargs;
		var.accept("x"); // reached: both={Lambdas.varargs}
		new SubThing().own().get(); // edge: both={SubThing$lambda.get->SubThing.lambda$own$0 SubThing.lambda$own$0->Thing.size}
	}

	public static void main(String[] args) {
		new Lambdas().instance();
		references();
		Action both = (Action & Marker) () -> called("intersection");
		((Marker) both).mark(); // calls: both={Marker.mark}
		Action saved = (Action & Serializable) () -> called("serializable"); // reached: both={Lambdas.called}
		saved.act(); // calls: both={Lambdas$lambda.act}
		StringTyped st = s -> called(s);
		Typed<String> plain = st;
		plain.take("x"); // calls: both={StringTyped.take(Ljava/lang/Object;)V Lambdas$lambda.take(Ljava/lang/Object;)V}
		st.take("y"); // calls: both={Lambdas$lambda.take(Ljava/lang/String;)V}
		Bridged bridged = s -> called(s); // calls: both={Lambdas.called}
		PlainTyped narrow = bridged;
		narrow.take("z"); // calls: both={Lambdas$lambda.take(Ljava/lang/String;)V}
		new Thing().each(x -> x.size()); // calls size: rta={Thing.size SubThing.size} cha={Thing.size SubThing.size Never.size}
		Runnable never = () -> called("made, and never run by this program");
		Object o = never; // unreached: rta={Never.size}
	}
}
