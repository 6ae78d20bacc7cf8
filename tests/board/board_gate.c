// SPDX-License-Identifier: GPL-2.0
/*
 * Does anything handle interrupts of the controller after disable_irq() has
 * returned?
 *
 * The UFS core calls disable_irq() on the interrupt it was given and then stops
 * clocks: a later access can hang the bus. A run here calls disable_irq() and
 * enable_irq() on that interrupt again and again while a test does I/O. From the
 * return of the one to the call of the other, the window, none of these may
 * begin, nor still be running:
 *
 * - the handlers, hard and threaded, of the wire's interrupt, whoever's they are;
 * - those of the interrupt that was disabled, which are the core's own;
 * - the core's mq_poll, if called from an interrupt or an interrupt's thread.
 *
 * The addresses come from the interrupts' actions and the SCSI host template, so
 * no name of the driver under test is known here. A kretprobe on each tells when
 * it begins and ends. New requests may be submitted in a window, and ring the
 * doorbell, and the core may poll from process context after a time-out: all of
 * that is the core's business and none of it is looked at.
 */

#include <linux/atomic.h>
#include <linux/bottom_half.h>
#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <scsi/scsi_host.h>
#include <ufs/ufshcd.h>
#include <ufs/ufshci.h>

#include "board.h"

#define MAX_PROBES	12
#define MAX_STRETCH_US	1000
#define MAX_DELAY_US	100000
#define DEF_HOLD_US	100
#define DEF_GAP_US	200
/* Longer delays sleep. */
#define BUSY_US		20

/*
 * Registers that have no meaning to the core, which reads them only to dump
 * them all, and no side effect: reading them marks a window in QEMU's trace.
 */
#define MARK_CLOSED	REG_CONTROLLER_PID
#define MARK_OPEN	REG_CONTROLLER_MID

/* Deliberate violations, to see them reported. */
enum gate_cheat { CHEAT_NONE, CHEAT_POLL, CHEAT_WIRE, CHEAT_EARLY };

static const char * const gate_cheats[] = {
	[CHEAT_NONE] = "none",
	/* Call mq_poll in the window, from a thread that looks like an interrupt's. */
	[CHEAT_POLL] = "poll",
	/* Enable the wire in the window: the driver's own handlers run. */
	[CHEAT_WIRE] = "wire",
	/* Begin the window before disable_irq(): handlers may run still. */
	[CHEAT_EARLY] = "early",
};

enum gate_role { ROLE_HANDLER, ROLE_THREAD, ROLE_POLL };

static const char * const gate_roles[] = {
	[ROLE_HANDLER] = "handler",
	[ROLE_THREAD] = "thread",
	[ROLE_POLL] = "poll",
};

/**
 * struct gate_probe - one function that must not run in a window
 * @rp: the probe
 * @gate: the run
 * @role: what the function is
 * @name: its symbol, for when the module it is in is gone
 * @irq: its first argument, if it is a handler
 * @arg: its second argument if it is a handler, else the first
 * @inside: how many are in it
 * @calls: how often it began outside of a window
 * @entered: how often it began in a window
 * @running: how often it was running when a window began
 * @elsewhere: calls that do not count, since not from an interrupt
 */
struct gate_probe {
	struct kretprobe rp;
	struct board_gate *gate;
	enum gate_role role;
	char name[192];	/* Rust's are long */
	unsigned int irq;
	void *arg;
	atomic_t inside;
	atomic_long_t calls;
	atomic_long_t entered;
	atomic_long_t running;
	atomic_long_t elsewhere;
};

struct board_gate {
	struct board_host *host;
	struct mutex lock;	/* one run at a time */
	bool stop;
	atomic_t closed;

	/* settings */
	enum gate_cheat cheat;
	u32 stretch_us;
	bool markers;

	/* the last run */
	int result;
	unsigned int virq;
	unsigned int wanted;
	unsigned int cycles;
	unsigned int pending;
	s64 time_us;
	s64 closed_us;
	s64 longest_off_us;
	unsigned int nprobes;
	struct gate_probe probes[MAX_PROBES];
	atomic_t told;
	char first[320];
};

static bool gate_in_interrupt(void)
{
	return in_hardirq() || in_serving_softirq() ||
	       ((current->flags & PF_KTHREAD) && strstarts(current->comm, "irq/"));
}

static void gate_tell(struct gate_probe *p, const char *what)
{
	struct board_gate *gate = p->gate;

	if (atomic_xchg(&gate->told, 1))
		return;
	scnprintf(gate->first, sizeof(gate->first), "cycle %u, %s %s %s, cpu %d, %s%s",
		  gate->cycles, gate_roles[p->role], p->name, what, raw_smp_processor_id(),
		  in_hardirq() ? "hard interrupt in " : "", current->comm);
}

static int gate_probe_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct gate_probe *p = container_of(get_kretprobe(ri), struct gate_probe, rp);
	struct board_gate *gate = p->gate;

	/* Several hosts have the same functions. */
	if (p->role == ROLE_POLL) {
		if ((void *)regs_get_kernel_argument(regs, 0) != p->arg)
			return 1;
		if (!gate_in_interrupt()) {
			atomic_long_inc(&p->elsewhere);
			return 1;
		}
	} else if ((unsigned int)regs_get_kernel_argument(regs, 0) != p->irq ||
		   (void *)regs_get_kernel_argument(regs, 1) != p->arg) {
		return 1;
	}

	atomic_inc(&p->inside);
	/* Pairs with the barrier in gate_close(): one of the two sees the other. */
	smp_mb__after_atomic();
	if (atomic_read(&gate->closed)) {
		atomic_long_inc(&p->entered);
		gate_tell(p, "began in a window");
	} else {
		atomic_long_inc(&p->calls);
	}

	/* A slow handler meets disable_irq() more often. */
	if (READ_ONCE(gate->stretch_us))
		udelay(min(READ_ONCE(gate->stretch_us), MAX_STRETCH_US));
	return 0;
}
NOKPROBE_SYMBOL(gate_probe_entry);

static int gate_probe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct gate_probe *p = container_of(get_kretprobe(ri), struct gate_probe, rp);

	atomic_dec(&p->inside);
	return 0;
}
NOKPROBE_SYMBOL(gate_probe_return);

/* The kernel's stand-ins touch no device, and belong to every interrupt. */
static bool gate_is_stand_in(const struct gate_probe *p)
{
	return !strcmp(p->name, "irq_default_primary_handler") ||
	       !strcmp(p->name, "irq_forced_secondary_handler");
}

static void gate_add_probe(struct board_gate *gate, enum gate_role role, void *fn,
			   unsigned int irq, void *arg)
{
	struct gate_probe *p;

	if (!fn || gate->nprobes == MAX_PROBES)
		return;
	for (unsigned int i = 0; i < gate->nprobes; i++) {
		p = &gate->probes[i];
		if (p->rp.kp.addr == fn && p->irq == irq && p->arg == arg)
			return;
	}
	p = &gate->probes[gate->nprobes++];
	p->gate = gate;
	p->role = role;
	p->irq = irq;
	p->arg = arg;
	p->rp.kp.addr = fn;
	p->rp.entry_handler = gate_probe_entry;
	p->rp.handler = gate_probe_return;
	p->rp.maxactive = 64;
}

/* Takes in the handlers of all actions of an interrupt. */
static int gate_add_irq(struct board_gate *gate, unsigned int irq)
{
	struct irq_data *irqd = irq_get_irq_data(irq);
	struct irq_desc *desc;

	if (!irqd)
		return -ENXIO;
	desc = irq_data_to_desc(irqd);
	guard(raw_spinlock_irqsave)(&desc->lock);
	if (!desc->action)
		return -ENXIO;
	for (struct irqaction *a = desc->action; a; a = a->next) {
		gate_add_probe(gate, ROLE_HANDLER, a->handler, irq, a->dev_id);
		gate_add_probe(gate, ROLE_THREAD, a->thread_fn, irq, a->dev_id);
		/* Where the thread function goes if the handler is forced into a thread. */
		if (a->secondary)
			gate_add_probe(gate, ROLE_THREAD, a->secondary->thread_fn, irq, a->dev_id);
	}
	return 0;
}

static void gate_drop_stand_ins(struct board_gate *gate)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < gate->nprobes; i++) {
		struct gate_probe *p = &gate->probes[i];

		snprintf(p->name, sizeof(p->name), "%ps", p->rp.kp.addr);
		if (!gate_is_stand_in(p))
			gate->probes[kept++] = *p;
	}
	gate->nprobes = kept;
}

static int gate_set_probes(struct board_gate *gate, struct ufs_hba *hba)
{
	unsigned int i;
	int ret;

	ret = gate_add_irq(gate, gate->virq);
	if (!ret && gate->virq != gate->host->wire)
		ret = gate_add_irq(gate, gate->host->wire);
	if (ret)
		return ret;
	gate_add_probe(gate, ROLE_POLL, hba->host->hostt->mq_poll, 0, hba->host);
	gate_drop_stand_ins(gate);

	for (i = 0; i < gate->nprobes; i++) {
		ret = register_kretprobe(&gate->probes[i].rp);
		if (ret) {
			dev_err(&gate->host->pdev->dev, "probe on %s: error %d\n",
				gate->probes[i].name, ret);
			while (i--)
				unregister_kretprobe(&gate->probes[i].rp);
			gate->nprobes = 0;
			return ret;
		}
	}
	return 0;
}

static void gate_unset_probes(struct board_gate *gate)
{
	for (unsigned int i = 0; i < gate->nprobes; i++)
		unregister_kretprobe(&gate->probes[i].rp);
}

static void gate_delay(unsigned int max_us)
{
	unsigned int us = max_us ? get_random_u32_inclusive(0, max_us) : 0;

	if (us <= BUSY_US)
		udelay(us);
	else
		usleep_range(us, us + us / 4);
}

static int gate_poll_thread(void *data)
{
	struct ufs_hba *hba = data;

	local_bh_disable();
	hba->host->hostt->mq_poll(hba->host, UINT_MAX);
	local_bh_enable();
	return 0;
}

static void gate_cheat_poll(struct board_gate *gate, struct ufs_hba *hba)
{
	struct task_struct *task;

	task = kthread_create(gate_poll_thread, hba, "irq/%u-ufs_board", gate->host->wire);
	if (IS_ERR(task))
		return;
	get_task_struct(task);
	wake_up_process(task);
	/* Its function ends by itself; a stop before it began would skip it. */
	while (!READ_ONCE(task->exit_state))
		usleep_range(50, 100);
	put_task_struct(task);
}

/* What the core relies on holds from here. */
static void gate_close(struct board_gate *gate)
{
	atomic_set(&gate->closed, 1);
	/* Pairs with the barrier in gate_probe_entry(). */
	smp_mb();
	for (unsigned int i = 0; i < gate->nprobes; i++) {
		struct gate_probe *p = &gate->probes[i];
		int inside = atomic_read(&p->inside);

		if (inside) {
			atomic_long_add(inside, &p->running);
			gate_tell(p, "was running when a window began");
		}
	}
	if (gate->markers)
		readl(gate->host->regs + MARK_CLOSED);
}

static void gate_open(struct board_gate *gate)
{
	u32 is;

	if (gate->markers)
		readl(gate->host->regs + MARK_OPEN);
	atomic_set(&gate->closed, 0);

	/* Something was there to be handled: the window did hold it off. */
	is = readl(gate->host->regs + REG_INTERRUPT_STATUS);
	if (is != U32_MAX && (is & UTP_TRANSFER_REQ_COMPL))
		gate->pending++;
}

static void gate_cycle(struct board_gate *gate, struct ufs_hba *hba, enum gate_cheat cheat,
		       unsigned int hold_us)
{
	ktime_t off, start;

	if (cheat == CHEAT_EARLY)
		gate_close(gate);
	off = ktime_get();
	disable_irq(gate->virq);
	start = ktime_get();
	if (cheat != CHEAT_EARLY)
		gate_close(gate);

	if (cheat == CHEAT_WIRE)
		enable_irq(gate->host->wire);
	gate_delay(hold_us);
	if (cheat == CHEAT_POLL)
		gate_cheat_poll(gate, hba);
	if (cheat == CHEAT_WIRE)
		disable_irq(gate->host->wire);

	gate_open(gate);
	gate->closed_us += ktime_us_delta(ktime_get(), start);
	/* As the hardware sees it: the line is off while disable_irq() waits for handlers. */
	gate->longest_off_us = max(gate->longest_off_us, ktime_us_delta(ktime_get(), off));
	enable_irq(gate->virq);
}

static int gate_run(struct board_gate *gate, struct ufs_hba *hba, unsigned int hold_us,
		    unsigned int gap_us)
{
	enum gate_cheat cheat = READ_ONCE(gate->cheat);
	ktime_t start;
	int ret;

	ret = gate_set_probes(gate, hba);
	if (ret)
		return ret;

	start = ktime_get();
	for (; gate->cycles < gate->wanted; gate->cycles++) {
		if (signal_pending(current) || READ_ONCE(gate->stop)) {
			ret = -EINTR;
			break;
		}
		gate_cycle(gate, hba, cheat, hold_us);
		gate_delay(gap_us);
		cond_resched();
	}
	gate->time_us = ktime_us_delta(ktime_get(), start);
	gate_unset_probes(gate);
	return ret;
}

static void gate_reset(struct board_gate *gate, unsigned int virq, unsigned int wanted)
{
	gate->virq = virq;
	gate->wanted = wanted;
	gate->cycles = 0;
	gate->pending = 0;
	gate->time_us = 0;
	gate->closed_us = 0;
	gate->longest_off_us = 0;
	gate->nprobes = 0;
	memset(gate->probes, 0, sizeof(gate->probes));
	atomic_set(&gate->told, 0);
	gate->first[0] = '\0';
}

/* "IRQ CYCLES [HOLD_US [GAP_US]]": IRQ 0 is the one the UFS core was given. */
static ssize_t gate_run_write(struct file *file, const char __user *ubuf, size_t len, loff_t *ppos)
{
	unsigned int irq, cycles, hold_us = DEF_HOLD_US, gap_us = DEF_GAP_US;
	struct board_gate *gate = file->private_data;
	struct device *dev = &gate->host->ufs->dev;
	struct ufs_hba *hba;
	char buf[64] = "";

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	if (sscanf(buf, "%u %u %u %u", &irq, &cycles, &hold_us, &gap_us) < 2 || !cycles ||
	    hold_us > MAX_DELAY_US || gap_us > MAX_DELAY_US)
		return -EINVAL;

	ACQUIRE(mutex_intr, lock)(&gate->lock);
	if (ACQUIRE_ERR(mutex_intr, &lock))
		return -EINTR;
	/* As long as it is held the driver stays bound. */
	guard(device)(dev);
	hba = dev_get_drvdata(dev);
	if (!device_is_bound(dev) || !hba || hba->dev != dev)
		return -ENODEV;

	gate_reset(gate, irq ?: hba->irq, cycles);
	gate->result = gate_run(gate, hba, hold_us, gap_us);
	/* Shells write again after -EINTR, which a suspend causes; the report has it. */
	return gate->result && gate->result != -EINTR ? gate->result : len;
}

static const struct file_operations gate_run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = gate_run_write,
	.llseek = noop_llseek,
};

static int gate_report_show(struct seq_file *s, void *unused)
{
	struct board_gate *gate = s->private;
	unsigned long calls = 0, bad = 0, missed = 0;

	/* Waits for a run. */
	ACQUIRE(mutex_intr, lock)(&gate->lock);
	if (ACQUIRE_ERR(mutex_intr, &lock))
		return -EINTR;
	for (unsigned int i = 0; i < gate->nprobes; i++) {
		struct gate_probe *p = &gate->probes[i];

		calls += atomic_long_read(&p->calls);
		bad += atomic_long_read(&p->entered) + atomic_long_read(&p->running);
		missed += p->rp.nmissed + p->rp.kp.nmissed;
	}
	seq_printf(s, "violations %lu\n", bad);
	seq_printf(s, "result %d\n", gate->result);
	seq_printf(s, "cycles %u\n", gate->cycles);
	seq_printf(s, "calls %lu\n", calls);
	seq_printf(s, "pending %u\n", gate->pending);
	seq_printf(s, "missed %lu\n", missed);
	seq_printf(s, "virtual_irq %u\n", gate->virq);
	seq_printf(s, "wire_irq %u\n", gate->host->wire);
	seq_printf(s, "time_us %lld\n", gate->time_us);
	seq_printf(s, "closed_us %lld\n", gate->closed_us);
	seq_printf(s, "longest_off_us %lld\n", gate->longest_off_us);
	for (unsigned int i = 0; i < gate->nprobes; i++) {
		struct gate_probe *p = &gate->probes[i];

		seq_printf(s, "%s %s irq %u calls %ld entered %ld running %ld elsewhere %ld\n",
			   gate_roles[p->role], p->name, p->irq,
			   atomic_long_read(&p->calls), atomic_long_read(&p->entered),
			   atomic_long_read(&p->running), atomic_long_read(&p->elsewhere));
	}
	seq_printf(s, "first %s\n", gate->first[0] ? gate->first : "none");
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(gate_report);

static int gate_cheat_show(struct seq_file *s, void *unused)
{
	struct board_gate *gate = s->private;

	seq_printf(s, "%s\n", gate_cheats[gate->cheat]);
	return 0;
}

static int gate_cheat_open(struct inode *inode, struct file *file)
{
	return single_open(file, gate_cheat_show, inode->i_private);
}

static ssize_t gate_cheat_write(struct file *file, const char __user *ubuf, size_t len,
				loff_t *ppos)
{
	struct board_gate *gate = ((struct seq_file *)file->private_data)->private;
	char buf[16] = "";
	int ret;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, len))
		return -EFAULT;
	ret = sysfs_match_string(gate_cheats, buf);
	if (ret < 0)
		return ret;
	WRITE_ONCE(gate->cheat, ret);
	return len;
}

static const struct file_operations gate_cheat_fops = {
	.owner = THIS_MODULE,
	.open = gate_cheat_open,
	.read = seq_read,
	.write = gate_cheat_write,
	.llseek = seq_lseek,
	.release = single_release,
};

int board_gate_init(struct board_host *host)
{
	struct board_gate *gate;

	gate = devm_kzalloc(&host->pdev->dev, sizeof(*gate), GFP_KERNEL);
	if (!gate)
		return -ENOMEM;
	gate->host = host;
	mutex_init(&gate->lock);
	host->gate = gate;
	return 0;
}

void board_gate_debugfs(struct board_host *host)
{
	struct board_gate *gate = host->gate;

	debugfs_create_file("gate_run", 0200, host->dir, gate, &gate_run_fops);
	debugfs_create_file("gate_report", 0444, host->dir, gate, &gate_report_fops);
	debugfs_create_file("gate_cheat", 0644, host->dir, gate, &gate_cheat_fops);
	debugfs_create_u32("gate_stretch_us", 0644, host->dir, &gate->stretch_us);
	debugfs_create_bool("gate_markers", 0644, host->dir, &gate->markers);
}

/* Makes a run end early. */
void board_gate_stop(struct board_host *host)
{
	WRITE_ONCE(host->gate->stop, true);
}
