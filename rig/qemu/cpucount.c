// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for QEMU that counts the instructions of each of the guest's CPUs
 * between two moments that the guest marks by the instruction "hint #0x60", which
 * does nothing otherwise. Every second mark adds a line to QEMU's log: "counts CPU0
 * CPU1 ...", for those that did something in this stretch or one before: in the
 * first stretch all should.
 *
 * The guest cannot count them itself: with -icount its CPUs' instruction counters
 * all show the instructions of all CPUs. Nor can this go by the index that QEMU
 * hands to callbacks, nor by counters of each CPU in the translated code: with all
 * CPUs in one thread, QEMU 10.0 takes the CPU that has translated a block for the
 * one that executes it. TPIDR_EL1 tells them apart, in which Linux has the offset of
 * a CPU's variables; the offsets rise with the CPU's number.
 *
 * Debian has no package with QEMU's plugin header, so what is used of it is
 * declared here (version 4 of the interface, QEMU 10.0).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT		__attribute__((visibility("default")))
#define MARK		0xd5032c1fu	/* hint #0x60 */
#define MAX_CPUS	16

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_register;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS };
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu, void *data);
typedef struct {
	struct qemu_plugin_register *handle;
	const char *name;
	const char *feature;
} qemu_plugin_reg_descriptor;

/* GLib's, which QEMU has loaded. */
typedef struct {
	uint8_t *data;
	unsigned int len;
} GByteArray;
typedef struct {
	char *data;
	unsigned int len;
} GArray;

GByteArray *g_byte_array_new(void);
GByteArray *g_byte_array_set_size(GByteArray *array, unsigned int size);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id,
				       void (*cb)(qemu_plugin_id_t, unsigned int));
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t n);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t len);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t cb,
					  enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_vcpu_udata_cb_t cb,
					    enum qemu_plugin_cb_flags flags, void *data);
GArray *qemu_plugin_get_registers(void);
int qemu_plugin_read_register(struct qemu_plugin_register *handle, GByteArray *to);
void qemu_plugin_outs(const char *text);

EXPORT int qemu_plugin_version = 4;

static struct qemu_plugin_register *tpidr;
static GByteArray *value;
static bool counting;
/* By rising TPIDR_EL1. */
static struct {
	uint64_t tpidr, insns;
} cpus[MAX_CPUS];
static int known;

/* A block that a fault leaves early counts as a whole. */
static void executed(unsigned int vcpu, void *insns)
{
	uint64_t now;
	int n;

	if (!counting)
		return;
	g_byte_array_set_size(value, 0);
	if (qemu_plugin_read_register(tpidr, value) != sizeof(now))
		return;
	memcpy(&now, value->data, sizeof(now));
	for (n = 0; n < known && cpus[n].tpidr < now; n++)
		;
	if (n == known || cpus[n].tpidr != now) {
		if (known == MAX_CPUS)
			return;
		memmove(&cpus[n + 1], &cpus[n], (known - n) * sizeof(cpus[0]));
		cpus[n].tpidr = now;
		cpus[n].insns = 0;
		known++;
	}
	cpus[n].insns += (uintptr_t)insns;
}

static void marked(unsigned int vcpu, void *data)
{
	char line[8 + 21 * MAX_CPUS] = "counts";
	size_t len = strlen(line);

	counting = !counting;
	if (counting) {
		for (int n = 0; n < known; n++)
			cpus[n].insns = 0;
		return;
	}
	for (int n = 0; n < known; n++)
		len += sprintf(line + len, " %llu", (unsigned long long)cpus[n].insns);
	strcpy(line + len, "\n");
	qemu_plugin_outs(line);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t insns = qemu_plugin_tb_n_insns(tb);

	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, QEMU_PLUGIN_CB_R_REGS, (void *)insns);
	for (size_t n = 0; n < insns; n++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, n);
		uint32_t code = 0;

		qemu_plugin_insn_data(insn, &code, sizeof(code));
		if (code == MARK)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked,
							       QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

/* Registers can be looked up in this callback only; all CPUs have the same. */
static void appeared(qemu_plugin_id_t id, unsigned int vcpu)
{
	GArray *all = qemu_plugin_get_registers();
	qemu_plugin_reg_descriptor *regs = (void *)all->data;

	for (unsigned int n = 0; n < all->len; n++)
		if (!strcmp(regs[n].name, "TPIDR_EL1"))
			tpidr = regs[n].handle;
	if (!tpidr)
		qemu_plugin_outs("cpucount: no register TPIDR_EL1\n");
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	value = g_byte_array_new();
	qemu_plugin_register_vcpu_init_cb(id, appeared);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
