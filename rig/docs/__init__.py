# SPDX-License-Identifier: GPL-2.0
"""The documentation as web pages, and a search for references to what is not there."""
