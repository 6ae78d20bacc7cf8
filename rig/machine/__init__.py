# SPDX-License-Identifier: GPL-2.0
"""The machine that boots the kernel under test, and what people do with it by hand."""
