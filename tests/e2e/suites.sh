#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# suites.sh - test suites of real libraries, with the agent and every class verified: each test ends as it does without, every
# call is watched, and no receiver is one that the analysis rules out, with --clients auto. Prints `ok NAME` or `not ok NAME` a library.
# The suites are built from Debian's packages (tests/suites/make) and kept in $BUILD/suites; make experiments-coverage takes all of
# them. commons-io and jdom2, to which nothing was tuned, run on every JDK of the tier all.
here=$(dirname "$0")
. "$here/../lib/jdks.sh"
. "$here/../lib/tier.sh"
failed=0
jdks_for() {          # NAME: separated by commas
	case $1 in
	commons-io | jdom2) jdks_of_tier | paste -sd, ;;
	*) default_jdk ;;
	esac
}
for name in commons-csv $(by_tier '' 'jflex joda-time jdom2 commons-io'); do
	# shellcheck disable=SC2046
	if said=$("$here/../experiments/coverage/run" --quick $(by_tier --jvm=-XX:TieredStopAtLevel=1 '') --only "$name" --jdks "$(jdks_for "$name")" 2>&1); then
		echo "ok $name"
	else
		echo "$said"
		echo "not ok $name"
		failed=1
	fi
done
exit $failed
