// SPDX-License-Identifier: Apache-2.0
package shelf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Fields that no instruction names. */
public class Odd {
	private static final VarHandle COUNT;
	private static final AtomicIntegerFieldUpdater<Odd> TURNS = AtomicIntegerFieldUpdater.newUpdater(Odd.class, "turns");
	private static final AtomicReferenceFieldUpdater<Odd, Object> TOP = AtomicReferenceFieldUpdater.newUpdater(Odd.class, Object.class, "top");
	private static boolean isReady;
	private volatile int count, turns;
	private volatile Object top;
	public int open;

	static {
		try {
			COUNT = MethodHandles.lookup().findVarHandle(Odd.class, "count", int.class);
		} catch (ReflectiveOperationException e) {
			throw new ExceptionInInitializerError(e);
		}
		isReady = true;
	}

	public boolean count() {
		return isReady && (int)COUNT.getAndAdd(this, 1) >= 0;
	}

	public int turn() {
		return TURNS.incrementAndGet(this);
	}

	public Object top(Object o) {
		return TOP.getAndSet(this, o);
	}

	public int reflect() throws ReflectiveOperationException {
		Field f = Odd.class.getField("open");
		f.setInt(this, f.getInt(this) + 1);
		return f.getInt(this);
	}
}
