# SPDX-License-Identifier: Apache-2.0
component='org.apache.commons.lang3.**'
source=libcommons-lang3-java
packages="libeasymock-java libjsr305-java"
test_jars="easymock objenesis byte-buddy jsr305"
leave_out='openjdk\.jmh|junitpioneer'
not_run='.*FastDateParser_TimeZoneStrategyTest$'        # time zones of some locales have other names in JDK 17
jvm="--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.lang.reflect=ALL-UNNAMED
	--add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.util.regex=ALL-UNNAMED
	--add-opens java.base/java.util.stream=ALL-UNNAMED --add-opens java.base/java.time=ALL-UNNAMED
	--add-opens java.base/java.time.chrono=ALL-UNNAMED"
