/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel macros and inline functions that Rust cannot reach otherwise.
 *
 * bindgen reads this file, and helpers.c defines what it declares. Nothing else
 * belongs here: a real symbol is called through the bindings.
 */
#ifndef UFS_UNISOC_HELPERS_H
#define UFS_UNISOC_HELPERS_H

#include <linux/types.h>

struct device;
struct list_head;
struct ufs_hba;

bool ufs_unisoc_in_hardirq(void);
bool ufs_unisoc_may_sleep(void);
void ufs_unisoc_local_bh_disable(void);
void ufs_unisoc_local_bh_enable(void);
void ufs_unisoc_irq_set_own_lockdep_class(unsigned int irq);
void ufs_unisoc_list_add_tail(struct list_head *entry, struct list_head *head);
void ufs_unisoc_pm_runtime_put_noidle(struct device *dev);
int ufs_unisoc_pm_runtime_usage_count(struct device *dev);
bool ufs_unisoc_core_must_see_transfers(struct ufs_hba *hba);

#endif /* UFS_UNISOC_HELPERS_H */
