# SPDX-License-Identifier: Apache-2.0
component='org.apache.commons.csv.**'
source=commons-csv
packages="libcommons-io-java libcommons-lang3-java libmockito-java libh2-java"
test_jars="commons-io commons-lang3 mockito-core byte-buddy byte-buddy-agent objenesis h2"
leave_out='openjdk\.jmh|com\.opencsv|org\.supercsv'     # benchmarks
not_run='.*PerformanceTest$'
jvm="--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED -Dnet.bytebuddy.experimental=true"
