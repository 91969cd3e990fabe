#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# why.sh - how receivers get to calls of a component: every witness of small programs and a sample of large ones is
# checked, and spoiled ones must not pass; and `sherd why` as a user and a script meet it.
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/cases.sh
witnesses=$build/tests/witnesses

checked() {           # OPTION...: all witnesses pass, all are shown, and there are some
	"$witnesses" "$@" > "$work/out" 2>&1 || { tail -n 30 "$work/out"; return 1; }
	grep -q '^[1-9][0-9]* witnesses, [1-9][0-9]* spoiled, 0 wrong, 0 not shown' "$work/out" || { tail -n 3 "$work/out"; return 1; }
}

mkdir "$work/zoo" "$work/post" "$work/topics"
compile -g -d "$work/zoo" tests/golden/cli/why-call/Zoo.java
compile -g -d "$work/post" tests/golden/cli/why/Post.java
compile -g -nowarn -d "$work/topics" tests/annotated/pta/*.java 2> /dev/null

# Witnesses: whole programs, with every algorithm that follows variables; components. In the tier normal, topics that have as many
# witnesses without the JDK do without.
bare=$(by_tier ' contexts fields unknowns ' '')
expect 'witnesses of a small program' checked -cp "$work/zoo" --jdk none --main zoo.Zoo
expect 'witnesses of a small component' checked -cp "$work/post" --jdk none --component 'post.*'
for topic in Arrays Calls Closures Constants Contexts Corners Exceptions Fields Lost Memory Replaced Running Unknowns Values; do
	name=${topic,,}
	case $bare in *" $name "*) jdk=(--jdk none) ;; *) jdk=() ;; esac
	expect "witnesses of $topic" checked -cp "$work/topics" "${jdk[@]}" --main "$name.$topic" --only "$(by_tier andersen vta,andersen)" --within "$name."
done
# shellcheck disable=SC2046
expect 'witnesses in contexts' checked -cp "$work/topics" $(by_tier '--jdk none' '') --main contexts.Contexts --only 1cfa,1obj --within contexts.
expect 'witnesses after unification' checked -cp "$work/topics" --main running.Running --only p-bounded --within running. \
	--every 3000
expect 'witnesses of java.text' checked --component 'java.text.*' --only andersen --within java.text. --every "$(by_tier 160 40)"
expect 'witnesses of java.text, open clients' checked --component 'java.text.*' --clients open --only "$(by_tier andersen 0cfa,andersen)" \
	--within java.text. --every "$(by_tier 600 150)"

# Every requirement has a witness, and nothing else has.
post=(-q -cp "$work/post" --jdk none --component 'post.*')
status 0 "$sherd" requirements "${post[@]}" --format json
python3 -c '
import json, sys
for s in json.load(open(sys.argv[1]))["sites"]:
    for c in ["post.Letter", "post.Crate", "post.Lost", "post.Post$Card", "post.Post"]:
        print(s["site"], c, 0 if c in s["rc"] else 1)' "$work/out" > "$work/pairs"
expect 'there are requirements' grep -q ' 0$' "$work/pairs"
while read -r site class want; do
	status "$want" "$sherd" why "${post[@]}" --site "$site" --receiver "$class" --format json &&
		json "
assert d['schema'] == 'sherd/why/1' and d['site'] == '$site' and d['receiver'] == '$class'
assert d['found'] == ($want == 0)
for s in d.get('steps', []):
	assert s['kind'] and 'method' in s and 'pc' in s and ('line' in s or s.get('client')), s
if d['found']:
	assert d['steps'][0]['kind'] == 'new' and d['steps'][-1]['kind'] == 'call'
	assert d['steps'][-1]['method'] + '@' + str(d['steps'][-1]['pc']) == d['site']
	assert ('creation' in d) != bool(d['steps'][0].get('client'))
	assert d['reached']['by'] in ('client', 'initialisation')
	chains = [d['reached']] + ([d['creation']] if 'creation' in d else [])
	for c in chains:
		at = c['start']
		for call in c['calls']:
			assert call['method'] == at, c
			at = call['callee']
	assert chains[0]['calls'] == [] or chains[0]['calls'][-1]['callee'] + '@' + d['site'].rsplit('@')[1] == d['site']
else:
	assert d['reason'] in ('not-reached', 'no-receiver') and '$class' not in d['receivers']" || echo "$site $class" >> "$work/bad"
done < "$work/pairs"
expect 'requirements and witnesses agree' test ! -e "$work/bad"

# As users write it.
expect 'a line and a short name' status 0 "$sherd" why "${post[@]}" --site post.Post.price:53 --receiver Card
expect 'the client makes it' grep -q 'client  *makes it: new post.Post\$Card()' "$work/out"
expect 'a class and a line' status 0 "$sherd" why "${post[@]}" --site post.Post:57 --receiver Crate
expect 'initialisation' grep -q 'JVM  *initialises class post.Post' "$work/out"
expect 'ambiguous' status 2 "$sherd" why "${post[@]}" --site post.Post.weighed --receiver post.Letter
expect 'ambiguous: the calls' grep -q 'weighed(Lpost/Parcel;)I@7  line 74  calls java.lang.Object.hashCode()I' "$work/err"
mkdir "$work/near"
cat > "$work/Near.java" <<'JAVA'
package near;
public class Near {
	public interface Any { int m(); }
	public static class One implements Any { public int m() { return 1; } }
	public static class Two extends One { public int m() { return 2; } }
	public static int both(One one, Any other) {
		return one.m() + other.m();
	}
	public static class In implements Any {
		public int in(One one) {
			return one.m();
		}
		public int m() { return 3; }
	}
}
JAVA
compile -g -d "$work/near" "$work/Near.java"
near=(-q -cp "$work/near" --component 'near.*')
expect 'a class by its short name, and a line' status 0 "$sherd" why "${near[@]}" --site Near:11 --receiver Two --format json
expect 'the line of a nested class' grep -qF '"site":"near.Near$In.in(Lnear/Near$One;)I@1"' "$work/out"
expect 'a method of a class by its short name' status 0 "$sherd" why "${near[@]}" --site In.in --receiver near.Near\$One
expect 'of two calls, that on the receiver' status 0 "$sherd" why "${near[@]}" --site Near:7 --receiver near.Near\$In --format json
expect 'of two calls, that on the receiver: which' grep -qF '@5"' "$work/out"
expect 'both are on the receiver' status 2 "$sherd" why "${near[@]}" --site near.Near:7 --receiver Two
expect 'both are on the receiver: listed' bash -c "grep -q '@1  line 7  calls near.Near.One.m' '$work/err' && grep -q '@5  line 7  calls near.Near.Any.m' '$work/err'"
expect 'no call of them is on the receiver' status 2 "$sherd" why "${near[@]}" --site Near.both --receiver java.lang.String
expect 'no call of them is on the receiver: listed' grep -q 'can be any of these calls' "$work/err"
expect 'no such short name' status 2 "$sherd" why "${near[@]}" --site Naer:6 --receiver Two
expect 'no such receiver' status 1 "$sherd" why "${post[@]}" --site post.Post.weighed@1 --receiver post.Letter
expect 'no such receiver: those there are' grep -q 'Receivers  *post.Lost' "$work/out"
expect 'not reached' status 1 "$sherd" why "${post[@]}" --site post.Post.never --receiver post.Lost
expect 'not reached: said so' grep -q 'post.Post.never(Parcel) is not reached' "$work/out"
expect 'algorithms without variables' status 2 "$sherd" why "${post[@]}" --site post.Post.price --receiver Card --algorithm rta
expect 'algorithms without variables: which can' grep -q 'andersen' "$work/err"
expect 'no component' status 2 "$sherd" why -q -cp "$work/post" --jdk none --site post.Post.price --receiver Card
for odd in '' @ : @5 :7 post.Post@ post.Post.price@99999999999999999999 'post.Post.price()I@' 'post.Post.price(@4' ...:3 '@@1'; do
	expect "odd site '$odd'" status 2 "$sherd" why "${post[@]}" --site "$odd" --receiver Card
	expect "odd site '$odd': a message" grep -q '^sherd: error: .' "$work/err"
done
for odd in '' . '$' '[]' '[[' post. ';'; do
	"$sherd" why "${post[@]}" --site post.Post.price --receiver "$odd" > "$work/out" 2> "$work/err"
	expect "odd receiver '$odd'" test $? = 2
done

# A setter that is far from the field, and deserialization, which is near to every field: the way is by the setter.
mkdir "$work/shelf"
{
	echo 'package shelf; import java.io.*; public class Shelf implements Externalizable {
	public static class Item implements Externalizable {
		public void act() { } public void writeExternal(ObjectOutput o) { } public void readExternal(ObjectInput i) { } }
	public static class Rare extends Item { public void act() { } }
	public void writeExternal(ObjectOutput o) { } public void readExternal(ObjectInput i) { }
	public static Object read(byte[] b) throws Exception { return new ObjectInputStream(new ByteArrayInputStream(b)).readObject(); }
	private Item item; private Item other; public void use() { item.act(); } public void useOther() { other.act(); }
	public void set(Item i) { set1(i); } private void set40(Item i) { item = i; }'
	for i in $(seq 1 39); do echo "private void set$i(Item i) { set$((i + 1))(i); }"; done
	echo 'public static class Box implements Serializable { private Item made; public void use() { made.act(); }
	private void readObject(ObjectInputStream in) { make(); } public void start() { start1(); } private void start40() { make(); }
	private void make() { made = new Late(); } }
	static class Late extends Item { public void act() { } }' |
		sed "s/private void make/$(for i in $(seq 1 39); do printf 'private void start%d() { start%d(); } ' "$i" $((i + 1)); done)&/"
	echo '}'
} > "$work/shelf/Shelf.java"
compile -g -d "$work/shelf" "$work/shelf/Shelf.java"
shelf=(-q -cp "$work/shelf" --component 'shelf.*' --receiver 'shelf.Shelf$Rare')
expect 'no detour by deserialization' status 0 "$sherd" why "${shelf[@]}" --site shelf.Shelf.use
expect 'no detour by deserialization: a setter' grep -q 'Shelf.set39(' "$work/out"
expect 'no detour by deserialization: nothing else' test "$(grep -c java.io "$work/out")" = 0
expect 'by deserialization where there is no other way' status 0 "$sherd" why "${shelf[@]}" --site shelf.Shelf.useOther
expect 'by deserialization where there is no other way: shown' grep -q 'ObjectInputStream.*readObject' "$work/out"

expect 'no detour by calls' status 0 "$sherd" why -q -cp "$work/shelf" --component 'shelf.*' --receiver 'shelf.Shelf$Late' --site 'shelf.Shelf$Box.use'
expect 'no detour by calls: a method of the client' grep -q 'start39()' "$work/out"

# Classes that stand for those that are made at run time have no class file.
mkdir "$work/proxies"
compile -g -nowarn -d "$work/proxies" tests/annotated/callgraph/Proxies.java 2> /dev/null
expect 'a proxy and its handler' status 0 "$sherd" why-call -q 'sherd.Proxy$proxies_Shape.area' proxies.Logging.invoke -cp "$work/proxies" \
	--main proxies.Proxies
expect 'a proxy and its handler: the way' grep -q 'stored in field h' "$work/out"

# The width of the terminal.
COLUMNS=60 status 0 "$sherd" why "${post[@]}" --site post.Post.price --receiver Card
expect 'narrow' test "$(awk '{ if (length > n) n = length } END { print n }' "$work/out")" -le 60
expect 'the same again' cmp -s <("$sherd" why "${post[@]}" --site post.Post.price --receiver Card -j1 --format json) \
	<("$sherd" why "${post[@]}" --site post.Post.price --receiver Card --format json)
exit $failed
