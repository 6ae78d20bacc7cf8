# SPDX-License-Identifier: GPL-2.0
"""Checks the device tree binding with the tools that `make dt_binding_check` uses."""

import pathlib
import shutil
import subprocess
import tempfile

OURS = pathlib.Path("/src/Documentation/devicetree/bindings/ufs/sprd,ums9230-ufs.yaml")

# What the binding must find wrong in its own example, if these lines are not in it.
NEEDED = ["reset-names", "sprd,ufs-anlg-syscon", "sprd,ufs-ap-ahb-syscon", "clock-names", "reg ="]


def run(*command, **kwargs):
    result = subprocess.run(command, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs)
    return result.returncode, result.stdout.strip()


class Problem(Exception):
    pass


def compile_tree(source, include, work):
    tree = work / "tree.dtb"
    (work / "tree.dts").write_text(source)
    code, text = run("cpp", "-nostdinc", "-I", include, "-undef", "-D__DTS__", "-x",
                     "assembler-with-cpp", str(work / "tree.dts"), str(work / "tree.pp"))
    if code:
        raise Problem(f"preprocessing the example: {text}")
    code, text = run("dtc", "-@", "-q", "-I", "dts", "-O", "dtb", "-o", str(tree), str(work / "tree.pp"))
    if code:
        raise Problem(f"compiling the example: {text}")
    return tree


def check(bindings):
    """Raises Problem with what is wrong."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        schemas = work / "bindings" / "ufs"
        schemas.mkdir(parents=True)
        shutil.copy(bindings / "ufs" / "ufs-common.yaml", schemas)
        ours = schemas / OURS.name
        shutil.copy(OURS, ours)
        for command in (["dt-doc-validate", "-u", str(schemas.parent), str(ours)],
                        ["yamllint", "-s", "-c", str(bindings / ".yamllint"),
                         str(ours.relative_to(work))]):
            code, text = run(*command, cwd=work)
            if code or text:
                raise Problem(f"{command[0]}: {text}")
        code, example = run("dt-extract-example", str(ours))
        if code:
            raise Problem(f"dt-extract-example: {example}")
        schema = work / "schema.json"
        code, text = run("dt-mk-schema", "-j", str(schemas), "-o", str(schema))
        if code:
            raise Problem(f"dt-mk-schema: {text}")
        include = str(bindings.parents[2] / "include")
        code, text = run("dt-validate", "-s", str(schema), str(compile_tree(example, include, work)))
        if code or text:
            raise Problem(f"dt-validate: {text}")
        # A check that finds nothing wrong in anything would have passed so far.
        for needed in NEEDED:
            broken = "\n".join(line for line in example.splitlines() if needed not in line)
            _, text = run("dt-validate", "-s", str(schema), str(compile_tree(broken, include, work)))
            if needed.split()[0] not in text:
                raise Problem(f"an example without '{needed}' is not found wrong")
