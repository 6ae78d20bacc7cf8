/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UFS_BOARD_H
#define _UFS_BOARD_H

#include <linux/types.h>

struct board_gate;
struct board_soc;
struct dentry;
struct device_node;
struct pci_dev;
struct platform_device;

#define BOARD_HOSTS 2

/* Blocks of registers around a host, each as soc.dtso has them. */
enum board_block_id { BLOCK_AON_APB, BLOCK_AP_APB, BLOCK_AP_AHB, BLOCK_PHY, BOARD_BLOCKS };

/* The compiled overlays, by Kbuild's names. */
extern const u8 __dtbo_ufs22000000_begin[], __dtbo_ufs22000000_end[];
extern const u8 __dtbo_ufs22100000_begin[], __dtbo_ufs22100000_end[];
extern const u8 __dtbo_soc_begin[], __dtbo_soc_end[];

/**
 * struct board_slot - one place for a UFS host on the board
 * @name: the platform device's name, as a device tree would give it
 * @node: path of the host's container node once the overlay is applied
 * @ufs: path of the UFS node
 * @dtbo: the overlay
 * @dtbo_end: its end
 */
struct board_slot {
	const char *name;
	const char *node;
	const char *ufs;
	const u8 *dtbo;
	const u8 *dtbo_end;
};

extern const struct board_slot board_slots[BOARD_HOSTS];

/**
 * struct board_host - a UFS host: the PCI function and what stands for it
 * @index: which slot it has
 * @pdev: the PCI function
 * @wire: Linux number of its interrupt
 * @regs: its registers, mapped for the fixture's own use
 * @ovcs_id: the overlay
 * @node: the overlay's container node
 * @node_refs: references to the UFS node without its device
 * @ufs_node: the UFS node
 * @ufs: the platform device
 * @dir: its directory in debugfs
 * @gate: the disable_irq() test
 * @soc: the system controllers and the M-PHY
 * @clock_markers: mark in QEMU's trace when the core's clock is switched
 */
struct board_host {
	unsigned int index;
	struct pci_dev *pdev;
	unsigned int wire;
	void __iomem *regs;
	int ovcs_id;
	struct device_node *node;
	unsigned int node_refs;
	struct device_node *ufs_node;
	struct platform_device *ufs;
	struct dentry *dir;
	struct board_gate *gate;
	struct board_soc *soc;
	bool clock_markers;
};

int board_fdt_check_edits(void);
int board_fdt_apply(struct board_host *host);
int board_fdt_apply_soc(u64 pages);

int board_soc_init(void);
void board_soc_exit(void);
int board_soc_init_host(struct board_host *host);
void board_soc_debugfs(struct board_host *host);
void board_soc_event(struct board_host *host, const char *what, const char *how);
u32 board_soc_phandle(unsigned int index, enum board_block_id id);
void __iomem *board_soc_block(struct board_host *host, enum board_block_id id);

int board_apb_init(void);
void board_apb_exit(void);

void board_hog_debugfs(struct dentry *dir);
void board_race_debugfs(struct dentry *dir);
void board_hog_exit(void);
void board_hog_resume(void);

int board_lies_init(void);
void board_lies_exit(void);
int board_lies_init_host(struct board_host *host);
void board_lies_debugfs(struct board_host *host);
u64 board_lies_redirect(u64 phys);

int board_gate_init(struct board_host *host);
void board_gate_debugfs(struct board_host *host);
void board_gate_stop(struct board_host *host);

#endif
