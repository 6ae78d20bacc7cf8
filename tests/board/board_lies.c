// SPDX-License-Identifier: GPL-2.0
/*
 * A controller that lies: what stands between a driver and the registers of a
 * host, and changes what is read.
 *
 * QEMU's controller is honest. With the parameter "lies" the window that drivers
 * map is nowhere: each access is an external abort, which this module answers
 * instead of the kernel, with the real registers behind it and what a test has
 * said that shall be read. No driver can tell, but by the time it takes. The
 * module's own mapping is the real one.
 *
 * A level interrupt is asserted as long as its cause is there. For a cause that is
 * a lie the interrupt is made pending anew whenever the status is read, so that it
 * comes again as soon as its handlers have returned.
 */

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irqflags.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include <asm/barrier.h>
#include <asm/insn.h>
#include <asm/sysreg.h>

#include <ufs/ufshcd.h>
#include <ufs/ufshci.h>

#include "board.h"

/* Behind the blocks of soc.dtso, where the virt machine has nothing either. */
#define LIES_BASE	0x0f080000
#define LIES_SIZE	SZ_64K
/* Registers that can be forged: those of UFSHCI without MCQ. */
#define LIES_REGS	(0x100 / sizeof(u32))
/* Bits 31 and 30 of a load or store. */
#define INSN_SIZE_WORD	2
/* The register that is loaded or stored. */
#define INSN_RT		GENMASK(4, 0)

static bool lies;
module_param(lies, bool, 0444);
MODULE_PARM_DESC(lies, "stand between drivers and the hosts' registers, so that tests can forge them");

/**
 * struct board_lies - what is read instead of the truth
 * @host: the host
 * @set: bits of each register that read 1
 * @clear: bits of each register that read 0, unless set
 * @ghosts: requests that are not there, but in the doorbell
 * @stuck: interrupt causes that are there whatever is written
 * @raised: interrupt causes that are there until acknowledged
 * @reads: accesses so far
 * @writes: accesses so far
 */
struct board_lies {
	struct board_host *host;
	u32 set[LIES_REGS];
	u32 clear[LIES_REGS];
	u32 ghosts;
	u32 stuck;
	atomic_t raised;
	atomic_long_t reads;
	atomic_long_t writes;
};

static struct board_lies *board_liars[BOARD_HOSTS];

/**
 * board_lies_redirect - where a mapping of registers shall go
 * @phys: the physical address that somebody maps
 *
 * Return: the address to map instead, which may be the same.
 */
u64 board_lies_redirect(u64 phys)
{
	for (unsigned int i = 0; i < BOARD_HOSTS; i++) {
		struct board_lies *liar = READ_ONCE(board_liars[i]);

		if (liar && phys == pci_resource_start(liar->host->pdev, 0))
			return LIES_BASE + i * LIES_SIZE;
	}
	return phys;
}

static void lies_assert(struct board_lies *liar)
{
	irq_set_irqchip_state(liar->host->wire, IRQCHIP_STATE_PENDING, true);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

/* What is in the doorbell without having been rung in. */
static u32 lies_ghosts(struct board_lies *liar)
{
	u32 ghosts = READ_ONCE(liar->ghosts);
	struct ufs_hba *hba;

	if (!ghosts)
		return 0;
	hba = dev_get_drvdata(&liar->host->ufs->dev);
	return hba ? ghosts & ~READ_ONCE(hba->outstanding_reqs) : 0;
}

static u32 lies_read(struct board_lies *liar, unsigned int at)
{
	unsigned int reg = at / sizeof(u32);
	u32 value = readl(liar->host->regs + at);

	atomic_long_inc(&liar->reads);
	if (reg < LIES_REGS)
		value = (value & ~READ_ONCE(liar->clear[reg])) | READ_ONCE(liar->set[reg]);
	if (at == REG_UTP_TRANSFER_REQ_DOOR_BELL)
		value |= lies_ghosts(liar);
	if (at == REG_INTERRUPT_STATUS) {
		u32 stuck = READ_ONCE(liar->stuck);

		value |= stuck | atomic_read(&liar->raised);
		if (stuck)
			lies_assert(liar);
	}
	return value;
}

static void lies_write(struct board_lies *liar, unsigned int at, u32 value)
{
	atomic_long_inc(&liar->writes);
	if (at == REG_INTERRUPT_STATUS)
		atomic_andnot(value, &liar->raised);
	writel(value, liar->host->regs + at);
}

/* The liar that is asked for at this address of the kernel, if any. */
static struct board_lies *lies_at(unsigned long addr, unsigned int *at)
{
	u64 par, phys;

	scoped_guard(irqsave) {
		asm volatile("at s1e1r, %0" : : "r" (addr));
		isb();
		par = read_sysreg_par();
	}
	if (par & SYS_PAR_EL1_F)
		return NULL;
	phys = (par & SYS_PAR_EL1_PA) | offset_in_page(addr);
	if (phys < LIES_BASE || phys >= LIES_BASE + BOARD_HOSTS * LIES_SIZE)
		return NULL;
	*at = (phys - LIES_BASE) % LIES_SIZE;
	return READ_ONCE(board_liars[(phys - LIES_BASE) / LIES_SIZE]);
}

/* Does what the instruction wanted, if it is one of readl() or writel(). */
static bool lies_emulate(struct board_lies *liar, unsigned int at, struct pt_regs *regs)
{
	u32 insn = le32_to_cpup((__le32 *)instruction_pointer(regs));
	unsigned int rt = insn & INSN_RT;

	if (insn >> 30 != INSN_SIZE_WORD || at % sizeof(u32) ||
	    at >= pci_resource_len(liar->host->pdev, 0))
		return false;
	if (aarch64_insn_is_load_imm(insn) || aarch64_insn_is_load_acq(insn))
		pt_regs_write_reg(regs, rt, lies_read(liar, at));
	else if (aarch64_insn_is_store_imm(insn))
		lies_write(liar, at, pt_regs_read_reg(regs, rt));
	else
		return false;
	instruction_pointer_set(regs, instruction_pointer(regs) + AARCH64_INSN_SIZE);
	return true;
}

/*
 * Instead of do_sea(addr, esr, regs), whose return value is 0 if all is well. By
 * ftrace and not by a kprobe, which is missed in an interrupt that comes while
 * the kernel is busy with other ones.
 */
static void notrace lies_abort(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = (struct pt_regs *)ftrace_regs_get_argument(fregs, 2);
	struct board_lies *liar;
	unsigned int at;

	if (user_mode(regs))
		return;
	liar = lies_at(ftrace_regs_get_argument(fregs, 0), &at);
	if (!liar || !lies_emulate(liar, at, regs))
		return;
	ftrace_regs_set_return_value(fregs, 0);
	ftrace_override_function_with_return(fregs);
}

static struct ftrace_ops lies_ops = {
	.func = lies_abort,
	.flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION,
};

static int lies_hook(void)
{
	char handler[] = "do_sea";
	int ret;

	ret = ftrace_set_filter(&lies_ops, handler, strlen(handler), 0);
	if (!ret)
		ret = register_ftrace_function(&lies_ops);
	if (ret)
		pr_err("ufs_board: lies=1: cannot hook %s: error %d\n", handler, ret);
	return ret;
}

static void lies_unhook(void)
{
	unregister_ftrace_function(&lies_ops);
}

#else

static int lies_hook(void)
{
	pr_err("ufs_board: lies=1 needs a kernel with CONFIG_FUNCTION_TRACER\n");
	return -EOPNOTSUPP;
}

static void lies_unhook(void)
{
}

#endif

static int lies_raise(void *data, u64 val)
{
	struct board_lies *liar = data;

	atomic_or(val, &liar->raised);
	lies_assert(liar);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(lies_raise_fops, NULL, lies_raise, "%llu\n");

static int lies_stuck_get(void *data, u64 *val)
{
	struct board_lies *liar = data;

	*val = liar->stuck;
	return 0;
}

static int lies_stuck_set(void *data, u64 val)
{
	struct board_lies *liar = data;

	WRITE_ONCE(liar->stuck, val);
	if (val)
		lies_assert(liar);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(lies_stuck_fops, lies_stuck_get, lies_stuck_set, "0x%llx\n");

static int lies_forge_show(struct seq_file *s, void *unused)
{
	struct board_lies *liar = s->private;

	seq_printf(s, "reads %ld\n", atomic_long_read(&liar->reads));
	seq_printf(s, "writes %ld\n", atomic_long_read(&liar->writes));
	for (unsigned int i = 0; i < LIES_REGS; i++) {
		if (liar->set[i] || liar->clear[i])
			seq_printf(s, "0x%02zx set 0x%08x clear 0x%08x\n", i * sizeof(u32),
				   liar->set[i], liar->clear[i]);
	}
	return 0;
}

/* "OFFSET SET [CLEAR]" */
static ssize_t lies_forge_write(struct file *file, const char __user *data, size_t len,
				loff_t *pos)
{
	struct board_lies *liar = ((struct seq_file *)file->private_data)->private;
	u32 at, set, clear = 0;
	char buf[64] = "";

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, data, len))
		return -EFAULT;
	if (sscanf(buf, "%i %i %i", &at, &set, &clear) < 2 || at % sizeof(u32) ||
	    at / sizeof(u32) >= LIES_REGS)
		return -EINVAL;
	WRITE_ONCE(liar->clear[at / sizeof(u32)], clear);
	WRITE_ONCE(liar->set[at / sizeof(u32)], set);
	return len;
}

DEFINE_SHOW_STORE_ATTRIBUTE(lies_forge);

void board_lies_debugfs(struct board_host *host)
{
	struct board_lies *liar = board_liars[host->index];

	if (!liar)
		return;
	debugfs_create_file("raise", 0200, host->dir, liar, &lies_raise_fops);
	debugfs_create_file("stuck", 0644, host->dir, liar, &lies_stuck_fops);
	debugfs_create_x32("ghosts", 0644, host->dir, &liar->ghosts);
	debugfs_create_file("forge", 0644, host->dir, liar, &lies_forge_fops);
}

static void lies_forget(void *data)
{
	struct board_lies *liar = data;

	WRITE_ONCE(board_liars[liar->host->index], NULL);
	/* For those who have just asked for it. */
	synchronize_rcu();
}

/* From here on, mappings of the host's registers go through this. */
int board_lies_init_host(struct board_host *host)
{
	struct device *dev = &host->pdev->dev;
	struct board_lies *liar;

	if (!lies)
		return 0;
	liar = devm_kzalloc(dev, sizeof(*liar), GFP_KERNEL);
	if (!liar)
		return -ENOMEM;
	liar->host = host;
	WRITE_ONCE(board_liars[host->index], liar);
	return devm_add_action_or_reset(dev, lies_forget, liar);
}

int board_lies_init(void)
{
	return lies ? lies_hook() : 0;
}

void board_lies_exit(void)
{
	if (lies)
		lies_unhook();
}
