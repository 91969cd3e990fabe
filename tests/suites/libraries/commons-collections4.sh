# SPDX-License-Identifier: Apache-2.0
component='org.apache.commons.collections4.**'
source=libcommons-collections4-java
packages="libeasymock-java libcommons-lang3-java"
test_jars="easymock objenesis byte-buddy commons-lang3"
test_release=8                  # toArray(null) means two methods since Java 11
not_run='.*[.]BulkTest$'        # what other tests extend
jvm="--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED"
