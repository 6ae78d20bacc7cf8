#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# htmldocs.sh: build the documentation as web pages in build/docs, as the kernel builds
# its own: with the configuration and the extensions of the kernel's source.

. "$(dirname "$0")/../rig.sh"

need_root
lock rig
choose_kernel
ensure_sphinx
flock -u 9
python_in_root docs.pages "$(inside "$KSOURCE")"
say "rig: the documentation is in $PROJECT/build/docs/index.html"
