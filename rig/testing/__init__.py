# SPDX-License-Identifier: GPL-2.0
"""What make test runs: which tests, on which kernels, and those that boot nothing."""
