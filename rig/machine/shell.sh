#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The machine of demo and test, with a prompt.

. "$(dirname "$0")/../rig.sh"

prepare_rig
run_in_rig machine.shell
