# SPDX-License-Identifier: GPL-2.0
# `make help` lists what there is. The module itself is described in Kbuild.

PROJECT := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

.PHONY: all modules modules_install rig-module ufsirq ufsbench demo bench test test-long test-all soak shell
.PHONY: import patches test-import
.PHONY: fmt fmt-check clippy rust-analyzer clean help

all: modules

modules modules_install:
	@+KDIR="$(KDIR)" $(PROJECT)rig/compile/kdir.sh $@

import:
	@PYTHONPATH=$(PROJECT)rig python3 -B -m intree.import_tree $(if $(UNINSTALL),--uninstall) $(if $(FORCE),--force) "$(KSRC)"

patches:
	@$(PROJECT)rig/intree/patches.sh "$(KSRC)"

demo soak shell:
	@$(PROJECT)rig/machine/$@.sh

rig-module ufsirq ufsbench:
	@$(PROJECT)rig/compile/$@.sh

test-import:
	@$(PROJECT)rig/intree/$@.sh $(T)

bench:
	@$(PROJECT)rig/bench/bench.sh

# All of them, unless it is said which, or on which kernel.
test:
	@$(PROJECT)rig/testing/$(if $(strip $(T)$(KERNEL_SERIES)$(KERNEL_FLAVOUR)),test.sh $(T),test-kernels.sh $(if $(FULL),--full) $(if $(DEBUG_BEFORE),--debug-before $(DEBUG_BEFORE)))

test-all:
	@$(PROJECT)rig/testing/test-kernels.sh --all

.PHONY: test-dkms dkms-install dkms-uninstall
test-dkms:
	@$(PROJECT)rig/dkms/test-dkms.sh

dkms-install dkms-uninstall:
	@KERNEL="$(KERNEL)" $(PROJECT)rig/dkms/dkms.sh $(@:dkms-%=%)

test-long:
	@$(PROJECT)rig/testing/test.sh --long $(T)

.PHONY: test-mutants
test-mutants:
	@python3 -B $(PROJECT)rig/testing/mutants.py $(T)

fmt fmt-check clippy:
	@$(PROJECT)rig/compile/lint.sh $@

.PHONY: htmldocs
htmldocs:
	@$(PROJECT)rig/docs/htmldocs.sh

rust-analyzer:
	@+KDIR="$(KDIR)" $(PROJECT)rig/compile/analyzer.sh

clean:
	@rm -rf $(PROJECT)build $(PROJECT)target $(PROJECT)rust-project.json

define HELP
On a kernel of your own (a prepared tree with CONFIG_RUST=y, arm64 or x86-64):
  make KDIR=/path/to/tree  build build/<release>/ufs_unisoc.ko; without KDIR for the running kernel
  make modules_install     install it for that kernel
  make import KSRC=/path/to/linux  put the driver into that source tree (7.2, 7.3), to build it in or as
                           a module of it; UNINSTALL=1 takes it out again. Documentation/install.rst has more
  make patches             the driver as a series of patches for a kernel: build/patches; with KSRC for that tree
  make dkms-install        have DKMS build and install it, for KERNEL=release or the running kernel, and
                           for kernels to come; dkms-uninstall takes it all away

Without one (as root on Debian or Ubuntu; everything else is fetched):
  make demo           boot a Debian arm64 kernel with two UFS hosts and show it all
  make test           all tests, and a few on the 7.2 and the PREEMPT_RT kernel, and on the debug kernel
                      if it is built, 12 minutes on 2 cores when all is fetched; what tests do many times
                      they do less often then, and some are left out: FULL=1 is all of it, 25 minutes.
                      T="name name" runs some of them
  make test-all       all of them on all kernels and a debug kernel, test-dkms and test-import; hours (never
                      run whole)
  make test-dkms      the DKMS package in a fresh root of Debian; 5 minutes at first
  make test-long      long forms: suspend and clock gating 100 rounds each, all values of properties, on the
                      debug kernel all failing allocations; about an hour
  make test-import    build kernels with the driver in their tree, and boot them from its disk; 20 minutes
                      the first time
  make test-mutants   show that VM tests can fail: each against drivers that are broken on purpose
                      (tests/mutants); hours; T="name name" for some mutants, or those for some tests
  make soak           verified I/O for HOURS (default 2) of the guest's time, about a third of that here, with
                      random switches, resets and suspends; prints its SEED, which repeats them
  make bench          what completions cost in each mode, with the stock driver and with the UFS core of
                      6.16 to 7.1: report, pictures, raw results in build/bench; 25 minutes on 2
                      cores.
                      QUICK=1 only what the first lines need, 4 minutes; ROUNDS, READS: how much.
                      BENCH=wall RESULTS=dir: a report of what tools/ufsbench left on a phone
  make shell          the same machine with a prompt
  make rig-module     only build the module for that kernel; ARCH=x86_64: for the same kernel of PCs
  make ufsirq         only build the tool that shows and sets modes: build/ufsirq, static, arm64
  make ufsbench       what a phone needs to be measured: build/ufsbench, with a static fio, arm64

For work on the source (in the same environment):
  make fmt            format the Rust source; fmt-check only looks
  make clippy         build with clippy, warnings are errors
  make rust-analyzer  write rust-project.json; with KDIR for that tree
  make htmldocs       the documentation as web pages in build/docs, made as the kernel's is
  make clean          remove everything that was built here

Variables:
  KDIR                the kernel tree to build for
  ARCH, CROSS_COMPILE, LLVM, RUSTC  passed on; default to what the tree was made with
  KERNEL_SERIES       the Debian kernel to boot: 7.3 (default), 7.2
  KERNEL_FLAVOUR      arm64 (default), rt-arm64; built here: debug (lockdep, KASAN), kcsan (data races)
  DEBUG_BEFORE        build the debug kernel for 'make test' if less than so many minutes have passed
  JOBS                how many machines tests may run at a time: default one for each core, and at most 4
  RIG_CACHE           where all that is fetched and prepared is kept, default ~/.cache/ufs_unisoc
  DEBIAN_MIRROR       the mirror to fetch from
endef
export HELP

help:
	@echo "$$HELP"
