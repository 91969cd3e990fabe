#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The figures of the documents are those of tests/bench/results/last.json, and what that says of methods, edges and calls is what
# sherd finds now (tests/bench/run --counts; times and memory are no matter of this). In the tier normal a few of them, in all
# those that take a minute together. Where another JDK or other packages are installed than were then, they are skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/lib/tier.sh
. tests/lib/jdks.sh
export PYTHONDONTWRITEBYTECODE=1
JAVA_HOME=$(default_jdk)
export JAVA_HOME
failed=0
tests/bench/figures --check || failed=1
# groovy and fop are not among what tools/deps installs for tests
programs=antlr,sablecc,javacc,jflex,proguard,antlr4,jedit,javac,lang3,itext
components=$(sed -n '/^#/d; s/\t.*//p' tests/bench/components.tsv tests/bench/applications.tsv | tr '\n' ',')
if is_all; then
	tests/bench/run --counts --within 60 --only "$programs,$components" || failed=1
else
	tests/bench/run --counts --only sablecc --algorithm cha,0cfa,andersen || failed=1
	tests/bench/run --counts --only antlr --algorithm xta,1type || failed=1
	tests/bench/run --counts --only proguard,jflex,lang3 --algorithm rta,vta || failed=1
	tests/bench/run --counts --only java.util.zip --algorithm andersen || failed=1
	tests/bench/run --counts --only antlr-callbacks || failed=1
fi
exit $failed
