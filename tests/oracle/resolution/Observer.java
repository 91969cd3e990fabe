// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** Asks the running JVM the questions of gen.py: reads them from standard input, prints `number answer`. An
 *  answer is the number that the called method returned, `linked` (a call on null got as far as the null check),
 *  the kind of error, or `skipped` when the JVM refuses one of the classes. Every answer is written at once. */
public final class Observer {
    private static final Map<String, Boolean> usable = new HashMap<>();

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name.replace('/', '.'));
    }

    private static boolean isUsable(String name) {
        while (name.startsWith("["))
            name = name.startsWith("[L") ? name.substring(2, name.length() - 1) : name.substring(1);
        return name.equals("-") || name.endsWith("/Gone") || usable.computeIfAbsent(name, n -> {
            try {
                load(n).getDeclaredMethods();
                return true;
            } catch (LinkageError | ClassNotFoundException e) {
                return false;
            }
        });
    }

    private static Object receiver(String name) throws Exception {
        if (name.equals("-"))
            return null;
        if (name.startsWith("["))
            return Array.newInstance(load(name.substring(1)), 0);
        Method make = load(name).getDeclaredMethod("make");
        make.setAccessible(true);
        return make.invoke(null);
    }

    private static String answer(Object value) {
        return value instanceof Integer ? value.toString() : "java/lang/Object.clone";
    }

    private static String answer(Throwable t) {
        if (t instanceof CloneNotSupportedException)
            return "java/lang/Object.clone";
        return t instanceof NullPointerException ? "linked" : t.getClass().getSimpleName();
    }

    private static String ask(String number, String caller, String reference, String receiver) throws Exception {
        if (!isUsable(caller) || !isUsable(reference) || !isUsable(receiver))
            return "skipped";
        Method q = load(caller).getDeclaredMethod("q" + number, Object.class);
        q.setAccessible(true);
        try {
            return answer(q.invoke(null, receiver(receiver)));
        } catch (InvocationTargetException e) {
            return answer(e.getCause());
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] f = line.split(" ");
            System.out.println(f[0] + " " + ask(f[0], f[2], f[3], f[7]));
        }
    }
}
