#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The whole path once: set up, build, boot, load, I/O in both modes, switching.

. "$(dirname "$0")/../rig.sh"

prepare_rig
run_in_rig machine.demo
