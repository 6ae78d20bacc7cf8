# SPDX-License-Identifier: GPL-2.0
"""The DKMS package: put where DKMS looks for it, and tested in a fresh root."""
