/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel macros and inline functions that Rust cannot reach otherwise.
 *
 * bindgen reads this file, and helpers.c defines what it declares. Nothing else
 * belongs here: a real symbol is called through the bindings.
 */
#ifndef UFS_UNISOC_HELPERS_H
#define UFS_UNISOC_HELPERS_H

#include <linux/compiler_types.h>
#include <linux/types.h>

struct device;
struct list_head;
struct ufs_hba;

/* Yes or no about the moment of an interrupt. */
enum ufs_unisoc_circumstance {
	UFS_UNISOC_IN_HARDIRQ = 1 << 0,
	UFS_UNISOC_CORE_MUST_SEE_TRANSFERS = 1 << 1,
	UFS_UNISOC_PM_OP_IN_PROGRESS = 1 << 2,
};

/* What there is to know about the moment of an interrupt. */
struct ufs_unisoc_circumstances {
	u64 time;
	u32 cpu;
	enum ufs_unisoc_circumstance flags;
};

bool ufs_unisoc_may_sleep(void);
void ufs_unisoc_local_bh_disable(void);
void ufs_unisoc_local_bh_enable(void);
u32 ufs_unisoc_readl(const void __iomem *addr);
void ufs_unisoc_writel(u32 value, void __iomem *addr);
void ufs_unisoc_irq_set_own_lockdep_class(unsigned int irq);
bool ufs_unisoc_irq_is_plain_level(unsigned int irq);
void ufs_unisoc_list_add_tail(struct list_head *entry, struct list_head *head);
void ufs_unisoc_pm_runtime_put_noidle(struct device *dev);
int ufs_unisoc_pm_runtime_usage_count(struct device *dev);
u64 ufs_unisoc_local_clock(void);
void ufs_unisoc_cond_resched(void);
u32 ufs_unisoc_data_len(struct ufs_hba *hba, int tag);
bool ufs_unisoc_is_polled(struct ufs_hba *hba, int tag);
void ufs_unisoc_get_circumstances(struct ufs_hba *hba,
				  struct ufs_unisoc_circumstances *now);

#endif /* UFS_UNISOC_HELPERS_H */
