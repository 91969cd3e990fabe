# SPDX-License-Identifier: Apache-2.0
# tier.sh - how much a script does, and what it says of cases that it cannot try; read by `.`. $TIER is quick, normal or all
# (tools/check explains them); a script that is run by hand does what is normal.

is_all() { [ "${TIER:-normal}" = all ]; }
by_tier() { if is_all; then echo "$2"; else echo "$1"; fi; }      # NORMAL ALL: prints the one
skip() { echo "ok $1 # skip $2"; }                                # NAME REASON
