# SPDX-License-Identifier: Apache-2.0
component='org.joda.time.**'
source=libjoda-time-java
packages=libjoda-convert-java
library_jars=joda-convert
jvm=-Djava.locale.providers=COMPAT
not_run='.*\.(TestAllPackages|TestAll|MainTest)$'       # suites of all others
# Its time zones, compiled by itself.
after_compile() {
	zones=$dir/classes/org/joda/time/tz/data
	mkdir -p "$zones"
	(cd "$sources/org/joda/time/tz/src" && java -cp "$dir/classes:$library_path" org.joda.time.tz.ZoneInfoCompiler \
		-dst "$zones" africa antarctica asia australasia europe northamerica southamerica etcetera backward)
}
