# SPDX-License-Identifier: Apache-2.0
component='org.jdom2.**'
source=libjdom2-java
packages="libjaxen-java libxerces2-java libxalan2-java"
library_jars=jaxen
test_jars="xercesImpl xml-apis xalan2 serializer"
sources=core/src/java tests=test/src/java test_resources=test/src/resources
# Other XPath engines, which tests find by name, and what they need.
before_compile() {
	mkdir -p "$tests/org/jdom2/contrib" && cp -R contrib/src/java/org/jdom2/contrib/xpath contrib/src/java/org/jdom2/contrib/dom "$tests/org/jdom2/contrib"
}
