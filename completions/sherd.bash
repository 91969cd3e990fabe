# SPDX-License-Identifier: Apache-2.0
# bash completion: the program knows its options best.
eval "$(command sherd completion bash 2> /dev/null)"
