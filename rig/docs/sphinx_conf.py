# SPDX-License-Identifier: GPL-2.0
"""What Sphinx is told: the kernel's own configuration, and what differs here."""

import pathlib

# By name and not imported: it looks for its extensions beside the file it takes itself for.
exec(compile(pathlib.Path(__file__).with_name("kernel_conf.py").read_text(encoding="utf-8"),
             "kernel_conf.py", "exec"))

project = "ufs_unisoc"
author = copyright = "The ufs_unisoc developers"
html_logo = html_favicon = None
html_theme_options["description"] = "UFS hosts of Unisoc T615-class SoCs"

# Needs graphviz and ImageMagick, for what no page here has.
extensions.remove("kfigure")

# Reports of the bench are Markdown, which the kernel does not have.
extensions.append("myst_parser")
source_suffix[".md"] = "markdown"
include_patterns.append("**.md")
