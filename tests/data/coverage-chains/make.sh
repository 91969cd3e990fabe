#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh - makes the plans and data of this folder anew. JARS names the folder with junit4.jar and hamcrest-core.jar.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.." || exit 2
sherd=$PWD/${BUILD:-build}/sherd jars=${JARS:-/usr/share/java}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
junit=$jars/junit4.jar:$jars/hamcrest-core.jar
mkdir "$work"/{station,lib,ledger,tests}
javac -g -d "$work/station" tests/examples/station/station/*.java
javac -g -d "$work/lib" tests/e2e/cover/lib/*.java
javac -g -d "$work/ledger" tests/examples/ledger/*/*.java
javac -g -cp "$work/station:$work/lib:$work/ledger:$junit" -d "$work/tests" tests/examples/station/stationtest/*.java \
	tests/e2e/cover/tests4/*.java "$here/LedgerTest.java"
cp tests/examples/station/interface.txt "$work"
cd "$work" || exit 2

cover() {             # FOLDER OPTION... -- CLASS...
	local folder=$1 options=()
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	"$sherd" cover -q --jdk none --no-why "${options[@]}" -o "$folder" -- java -cp "station:lib:ledger:tests:$junit" "${@:2}" > out 2>&1 || cat out
	mkdir -p "$here/$folder"
	cp "$folder/plan.sherd" "$here/$folder/plan.sherd"
	cp "$folder"/run-*.cov "$here/$folder/run-1.cov"
}

station=(-cp station --component 'station.*' --interface interface.txt --criteria rc,tm,chains -k 3)
cover half "${station[@]}" -- stationtest.StationTest
cover full "${station[@]}" -- stationtest.FullTest
cover shapes -cp lib --component 'lib.*' --criteria rc,tm,chains -k 3 -- org.junit.runner.JUnitCore tests4.ShapesTest
cover ledger -cp ledger --component 'ledger.*' --criteria chains -k 3 --levels 0-1 -- LedgerTest
