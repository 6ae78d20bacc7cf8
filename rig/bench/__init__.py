# SPDX-License-Identifier: GPL-2.0
"""What a completion costs: make bench, and reports of what phones have measured."""
