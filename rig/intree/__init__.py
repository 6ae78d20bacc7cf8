# SPDX-License-Identifier: GPL-2.0
"""The driver in a kernel's tree: make import, make patches, make test-import."""
