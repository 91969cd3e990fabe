# SPDX-License-Identifier: Apache-2.0
component='com.fasterxml.jackson.core.**'
source=jackson-core
not_run='.*[.]failing[.].*'     # known to fail
# Maven would make it.
before_compile() {
	version=$(sed -n 's,.*<version>\(2[^<]*\)</version>.*,\1,p' pom.xml | head -n 1)
	f=$sources/com/fasterxml/jackson/core/json/PackageVersion.java
	sed -e 's/@package@/com.fasterxml.jackson.core.json/' -e "s/@projectversion@/$version/" \
		-e 's/@projectgroupid@/com.fasterxml.jackson.core/' -e 's/@projectartifactid@/jackson-core/' "$f.in" > "$f"
}
