// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel macros and inline functions for the Rust code beside this file.
 */

#include <linux/blk-mq.h>
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/pm_runtime.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_host.h>
#include <ufs/ufshcd.h>

#include "helpers.h"

/*
 * Whether the caller may wait for an interrupt thread. Disabled bottom halves
 * forbid it as well: on PREEMPT_RT they leave the task preemptible, but the
 * thread waited for needs the same per-CPU lock. Without a preemption count
 * preemptible() is constantly false, so ask what can be asked there.
 */
bool ufs_unisoc_may_sleep(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		return preemptible() && !softirq_count();

	return !irqs_disabled() && !in_interrupt();
}

void ufs_unisoc_local_bh_disable(void)
{
	local_bh_disable();
}

void ufs_unisoc_local_bh_enable(void)
{
	local_bh_enable();
}

u64 ufs_unisoc_local_clock(void)
{
	return local_clock();
}

void ufs_unisoc_cond_resched(void)
{
	cond_resched();
}

/*
 * The kernel crate has these too, but a call out of the module costs three
 * times as many instructions as one inside, for each interrupt.
 */
u32 ufs_unisoc_readl(const void __iomem *addr)
{
	return readl(addr);
}

void ufs_unisoc_writel(u32 value, void __iomem *addr)
{
	writel(value, addr);
}

/*
 * An interrupt whose chip masks another interrupt takes that one's descriptor
 * lock inside its own. A class of its own tells lockdep that the two nest in
 * this order only.
 */
void ufs_unisoc_irq_set_own_lockdep_class(unsigned int irq)
{
	static struct lock_class_key lock_class, request_class;

	irq_set_lockdep_class(irq, &lock_class, &request_class);
}

/*
 * Whether an interrupt is one for all CPUs, and no edge as far as is known before
 * it is requested.
 */
bool ufs_unisoc_irq_is_plain_level(unsigned int irq)
{
	struct irq_data *data = irq_get_irq_data(irq);

	return data && !(irqd_get_trigger_type(data) & IRQ_TYPE_EDGE_BOTH) &&
	       !irqd_is_per_cpu(data) && !irq_is_percpu(irq);
}

void ufs_unisoc_list_add_tail(struct list_head *entry, struct list_head *head)
{
	list_add_tail(entry, head);
}

void ufs_unisoc_pm_runtime_put_noidle(struct device *dev)
{
	pm_runtime_put_noidle(dev);
}

/* The count is there only with CONFIG_PM; without it nobody takes any. */
int ufs_unisoc_pm_runtime_usage_count(struct device *dev)
{
#ifdef CONFIG_PM
	return atomic_read(&dev->power.usage_count);
#else
	return 0;
#endif
}

/*
 * The bytes that a request of the SCSI layer moves. Only between the start of
 * the request and its completion, by its tag in the one queue of a host without
 * MCQ.
 */
u32 ufs_unisoc_data_len(struct ufs_hba *hba, int tag)
{
	struct request *rq = blk_mq_tag_to_rq(hba->host->tag_set.tags[0], tag);
	struct scsi_cmnd *cmd;

	if (!rq)
		return 0;

	cmd = blk_mq_rq_to_pdu(rq);
	return scsi_bufflen(cmd);
}

/* Whether the interrupt leaves a request to its poller. For whom as above. */
bool ufs_unisoc_is_polled(struct ufs_hba *hba, int tag)
{
	struct request *rq = blk_mq_tag_to_rq(hba->host->tag_set.tags[0], tag);

	return rq && (rq->cmd_flags & REQ_POLLED);
}

/*
 * Whether completed transfers are more than a doorbell to read: with MCQ they
 * are in queues, with interrupt aggregation a counter has to be reset first,
 * errors that were noted before are looked at with the next interrupt, and
 * completions that fault injection shall lose are lost in the core's handler.
 */
static bool core_must_see_transfers(struct ufs_hba *hba)
{
#ifdef CONFIG_SCSI_UFS_FAULT_INJECTION
	if (READ_ONCE(hba->timeout_attr.probability))
		return true;
#endif
	return READ_ONCE(hba->mcq_enabled) || READ_ONCE(hba->errors) ||
	       ufshcd_is_intr_aggr_allowed(hba);
}

/* All of it in one call, since this is asked for every interrupt. */
void ufs_unisoc_get_circumstances(struct ufs_hba *hba,
				  struct ufs_unisoc_circumstances *now)
{
	enum ufs_unisoc_circumstance all = 0;

	if (in_hardirq())
		all |= UFS_UNISOC_IN_HARDIRQ;
	if (core_must_see_transfers(hba))
		all |= UFS_UNISOC_CORE_MUST_SEE_TRANSFERS;
	if (READ_ONCE(hba->pm_op_in_progress))
		all |= UFS_UNISOC_PM_OP_IN_PROGRESS;

	now->time = local_clock();
	now->cpu = raw_smp_processor_id();
	now->flags = all;
}
