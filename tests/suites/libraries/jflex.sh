# SPDX-License-Identifier: Apache-2.0
component='jflex.**'
source=jflex
packages="cup ant jflex"
library_jars="cup_runtime ant"
# Its scanner and its parser are made by itself and by cup; the option is newer than Debian's jflex.
before_compile() {
	(cd src/main/cup && java -jar "$jars/cup.jar" -interface -parser LexParse LexParse.cup && mv LexParse.java sym.java ../java/jflex/) &&
		sed -i '/^%inputstreamctor/d' src/main/jflex/LexScan.flex &&
		jflex -q -d "$sources/jflex" --skel src/main/jflex/skeleton.nested src/main/jflex/LexScan.flex
}
