# SPDX-License-Identifier: Apache-2.0
# setup.sh - what the scripts of this folder begin with: $build, $sherd, $work, $here, $browser, and the library that drives it.
# Sourced from the top of the tree; ends the script where there is no browser.
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
sherd=${SHERD:-$build/sherd}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
here=tests/browser

# The library is for tests only; it is fetched once.
fetch() {
	mkdir -p "$build/browser" && cp $here/package.json "$build/browser/" || return 1
	[ -d "$build/browser/node_modules/playwright-core" ] ||
		(cd "$build/browser" && npm install --silent --no-audit --no-fund --ignore-scripts --no-package-lock >&2)
}

browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$browser" ] && tools/deps check > /dev/null 2>&1; then browser=$(command -v chromium); fi
if [ -z "$browser" ]; then
	echo "ok browser # skip no chromium here, and it cannot be installed: tools/deps check"
	exit 0
fi
fetch || { echo "not ok playwright-core: npm could not install it"; exit 1; }
cp -r $here/*.mjs $here/*.txt $here/sample "$build/browser/"
