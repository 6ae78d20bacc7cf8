# SPDX-License-Identifier: GPL-2.0
"""What only builds or looks: the module, for any kernel tree, the tools, lints."""
