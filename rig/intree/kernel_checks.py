# SPDX-License-Identifier: GPL-2.0
"""What must hold for kernels that were built with the driver in their tree (intree.sh).

Each check is given the directory of the kernel's modules, and returns what is wrong.
"""

import re
import subprocess

# What the module says of itself, wherever it is.
SAYS = {
    "license": "GPL$",
    "author": ".",
    "description": "Unisoc UMS9230 UFS host driver",
    "parm": r"irq_mode:.*hardirq.*threaded",
}


def nothing_to_warn_of(modules):
    log = (modules.parents[4] / "log").read_text()
    found = [line for line in log.splitlines() if re.search(r"\b(warning|error)\b", line, re.I)]
    return found[0] if found else None


def every_patch_builds(modules):
    log = (modules.parents[4] / "log").read_text()
    patches, built = (re.findall(rf"^{what}: (.*)$", log, re.M) for what in ("patch", "built"))
    if len(patches) < 2 or patches != built:
        return f"applied: {patches}, built: {built}"
    return None


def built_in_says_what_it_is(modules):
    lines = (modules / "modinfo-builtin").read_text().split("\0")
    for key, text in {**SAYS, "file": "drivers/ufs/host/unisoc/ufs_unisoc$"}.items():
        if not any(re.match(rf"ufs_unisoc\.{key}={text}", line) for line in lines):
            return f"modules.builtin.modinfo has no {key} of ufs_unisoc that is '{text}'"
    return None


def module_says_what_it_is(modules):
    module = modules / "kernel/drivers/ufs/host/unisoc/ufs_unisoc.ko"
    run = subprocess.run(["modinfo", module], capture_output=True, text=True)
    if run.returncode:
        return run.stderr.strip()
    lines = run.stdout.splitlines()
    for key, text in {**SAYS, "intree": "Y$", "alias": r"of:N\*T\*Csprd,ums9230-ufs"}.items():
        if not any(re.match(rf"{key}: *{text}", line) for line in lines):
            return f"modinfo has no {key} that is '{text}'"
    # The kernel's own modules have the kernel's version.
    return next((line for line in lines if line.startswith("version:")), None)


CHECKS = {check.__name__: check for check in
          (nothing_to_warn_of, every_patch_builds, built_in_says_what_it_is, module_says_what_it_is)}
