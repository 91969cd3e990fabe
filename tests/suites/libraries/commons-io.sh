# SPDX-License-Identifier: Apache-2.0
component='org.apache.commons.io.**'
source=commons-io
packages="libcommons-lang3-java libmockito-java libjimfs-java libguava-java"
test_jars="commons-lang3 mockito-core byte-buddy byte-buddy-agent objenesis jimfs guava"
leave_out='openjdk\.jmh|junitpioneer'
jvm="--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED -Dnet.bytebuddy.experimental=true"
