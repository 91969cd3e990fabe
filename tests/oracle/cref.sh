#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The analysis of C pointers, and MOD and USE, beside slow ones, the laws between its engines, and the soundness of allocation wrappers, on random
# programs: see cref.py. PROGRAMS says how many.
set -u
. "$(dirname "$0")/../lib/tier.sh"
here=$(cd "$(dirname "$0")" && pwd)
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/cref.py" "${BUILD:-build}/tests/cref" "${PROGRAMS:-$(by_tier 100 400)}"
