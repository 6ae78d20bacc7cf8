// SPDX-License-Identifier: GPL-2.0
/*
 * Test fixture: gives QEMU's UFS functions the looks of a T615-class board.
 *
 * QEMU's UFS controller is a PCI function, a T615's is a platform device. This
 * module binds to the PCI functions and, for each, applies a device tree
 * overlay with the node a T615 has and lets the OF core make the platform
 * device of it. The registers and the interrupt get there through the node's
 * "reg", "ranges" and "interrupts", as they do on a phone, so the driver under
 * test takes the same way as on a phone and has no PCI code. README.md has the
 * parameters and the debugfs files.
 */

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/of_platform.h>
#include <linux/pci.h>
#include <linux/platform_device.h>

#include "board.h"

#define NODE_RELEASE_MS		2000
#define NODE_RELEASE_STEP_MS	10

#define SLOT(idx, unit)								\
	{									\
		.name = #unit ".ufs",						\
		.node = "/ufs-board-" #idx,					\
		.ufs = "/ufs-board-" #idx "/soc@" #unit "/ufs@" #unit,	\
		.dtbo = __dtbo_ufs##unit##_begin,				\
		.dtbo_end = __dtbo_ufs##unit##_end,				\
	}

const struct board_slot board_slots[BOARD_HOSTS] = {
	SLOT(0, 22000000),
	SLOT(1, 22100000),
};

/* Which PCI function has, or last had, a slot: it gets the same one again. */
static char board_owner[BOARD_HOSTS][32];
static DEFINE_MUTEX(board_owner_lock);
static struct dentry *board_dir;

static int board_take_slot(struct pci_dev *pdev)
{
	guard(mutex)(&board_owner_lock);

	for (int i = 0; i < BOARD_HOSTS; i++) {
		if (!strcmp(board_owner[i], pci_name(pdev)))
			return i;
	}
	for (int i = 0; i < BOARD_HOSTS; i++) {
		if (!board_owner[i][0]) {
			strscpy(board_owner[i], pci_name(pdev));
			return i;
		}
	}
	return -ENOSPC;
}

/*
 * Whether the function decodes its memory: 0 takes the registers away, so that
 * they read all ones and writes are lost, as with a device that is gone.
 */
static int board_memory_get(void *data, u64 *val)
{
	struct board_host *host = data;
	u16 cmd;
	int ret;

	ret = pci_read_config_word(host->pdev, PCI_COMMAND, &cmd);
	*val = !!(cmd & PCI_COMMAND_MEMORY);
	return pcibios_err_to_errno(ret);
}

static int board_memory_set(void *data, u64 val)
{
	struct board_host *host = data;
	u16 cmd;
	int ret;

	ret = pci_read_config_word(host->pdev, PCI_COMMAND, &cmd);
	if (ret)
		return pcibios_err_to_errno(ret);
	cmd &= ~PCI_COMMAND_MEMORY;
	if (val)
		cmd |= PCI_COMMAND_MEMORY;
	return pcibios_err_to_errno(pci_write_config_word(host->pdev, PCI_COMMAND, cmd));
}

DEFINE_DEBUGFS_ATTRIBUTE(board_memory_fops, board_memory_get, board_memory_set, "%llu\n");

/* One wire interrupt that the controller did not ask for. */
static int board_inject_set(void *data, u64 val)
{
	struct board_host *host = data;

	if (!IS_ENABLED(CONFIG_GENERIC_IRQ_INJECTION))
		return -EOPNOTSUPP;
	return irq_inject_interrupt(host->wire);
}

DEFINE_DEBUGFS_ATTRIBUTE(board_inject_fops, NULL, board_inject_set, "%llu\n");

static int board_info_show(struct seq_file *s, void *unused)
{
	struct board_host *host = s->private;

	seq_printf(s, "pci %s\n", pci_name(host->pdev));
	seq_printf(s, "registers %pr\n", pci_resource_n(host->pdev, 0));
	seq_printf(s, "wire_irq %u\n", host->wire);
	seq_printf(s, "node %pOF\n", host->ufs_node);
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(board_info);

static void board_debugfs_init(struct board_host *host)
{
	host->dir = debugfs_create_dir(board_slots[host->index].name, board_dir);
	debugfs_create_file("info", 0444, host->dir, host, &board_info_fops);
	debugfs_create_u32("wire_irq", 0444, host->dir, &host->wire);
	debugfs_create_file("memory", 0644, host->dir, host, &board_memory_fops);
	debugfs_create_file("inject", 0200, host->dir, host, &board_inject_fops);
	board_soc_debugfs(host);
	board_lies_debugfs(host);
	board_gate_debugfs(host);
}

static unsigned int board_node_refs(struct device_node *np)
{
	return kref_read(&np->kobj.kref);
}

static int board_apply_overlay(struct board_host *host)
{
	const struct board_slot *slot = &board_slots[host->index];
	struct device *dev = &host->pdev->dev;
	int irq, ret;

	ret = board_fdt_apply(host);
	if (ret)
		return dev_err_probe(dev, ret, "overlay for %s\n", slot->name);

	host->node = of_find_node_by_path(slot->node);
	host->ufs_node = of_find_node_by_path(slot->ufs);
	if (!host->node || !host->ufs_node)
		return dev_err_probe(dev, -ENODEV, "no node %s\n", slot->ufs);
	host->node_refs = board_node_refs(host->ufs_node);

	/* A property that a parameter changed may well not give it. */
	irq = of_irq_get(host->ufs_node, 0);
	if (irq != host->wire)
		dev_info(dev, "%s: interrupt is %d, not %u as the function's\n", slot->name,
			 irq, host->wire);
	return 0;
}

static void board_remove_overlay(struct board_host *host)
{
	struct device *dev = &host->pdev->dev;
	unsigned int waited = 0;
	int ret;

	/* Whoever else has the node, lets go of it a little later. */
	while (host->ufs_node && board_node_refs(host->ufs_node) > host->node_refs) {
		if (waited >= NODE_RELEASE_MS) {
			dev_err(dev, "%pOF: still %u references, %u expected\n", host->ufs_node,
				board_node_refs(host->ufs_node), host->node_refs);
			break;
		}
		msleep(NODE_RELEASE_STEP_MS);
		waited += NODE_RELEASE_STEP_MS;
	}
	of_node_put(host->ufs_node);
	of_node_put(host->node);

	ret = of_overlay_remove(&host->ovcs_id);
	if (ret)
		dev_err(dev, "overlay stays: error %d\n", ret);

	/* By now only those are left that nobody will ever put, or an open file's. */
	if (host->ufs) {
		dev_info(dev, "%s: %u references outlive the device\n",
			 board_slots[host->index].name, kref_read(&host->ufs->dev.kobj.kref) - 1);
		put_device(&host->ufs->dev);
	}
}

/*
 * A device that is gone from the system lives on as long as anyone refers to it,
 * and so does its node, which may not outlive the overlay. Take the node away
 * from it. On kernels where scsi_get_pseudo_sdev() keeps a reference to the SCSI
 * target for good (7.3 does) every UFS host's device is such a one.
 */
static void board_destroy_ufs(struct board_host *host)
{
	struct device *dev = &host->ufs->dev;

	of_platform_device_destroy(get_device(dev), NULL);
	device_set_node(dev, NULL);
	of_node_put(host->ufs_node);
}

static void board_destroy_devices(struct board_host *host)
{
	if (host->ufs)
		board_destroy_ufs(host);
	/* What is left are the clocks, regulators and resets. */
	device_for_each_child_reverse(&host->pdev->dev, NULL, of_platform_device_destroy);
}

static int board_create_devices(struct board_host *host)
{
	const struct board_slot *slot = &board_slots[host->index];
	struct device *dev = &host->pdev->dev;
	int ret;

	/* The node of the host lies deeper, below one that is not a bus. */
	ret = of_platform_populate(host->node, NULL, NULL, dev);
	if (ret)
		return dev_err_probe(dev, ret, "clocks, regulators and resets\n");

	host->ufs = of_platform_device_create(host->ufs_node, slot->name, dev);
	if (!host->ufs)
		return dev_err_probe(dev, -ENODEV, "no device for %pOF\n", host->ufs_node);
	return 0;
}

static int board_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct device *dev = &pdev->dev;
	struct board_host *host;
	int ret;

	ret = board_take_slot(pdev);
	if (ret < 0)
		return dev_err_probe(dev, ret, "the board has %u hosts only\n", BOARD_HOSTS);

	host = devm_kzalloc(dev, sizeof(*host), GFP_KERNEL);
	if (!host)
		return -ENOMEM;
	host->index = ret;
	host->pdev = pdev;

	ret = pcim_enable_device(pdev);
	if (ret)
		return dev_err_probe(dev, ret, "enable\n");
	pci_set_master(pdev);
	if (pdev->irq <= 0)
		return dev_err_probe(dev, -ENODEV, "no INTx interrupt\n");
	host->wire = pdev->irq;

	ret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (ret)
		return dev_err_probe(dev, ret, "DMA mask\n");

	/* Mapped, not requested: the region is the driver's under test to request. */
	host->regs = pcim_iomap(pdev, 0, 0);
	if (!host->regs)
		return dev_err_probe(dev, -ENOMEM, "map the registers\n");

	ret = board_lies_init_host(host);
	if (ret)
		return dev_err_probe(dev, ret, "forge the registers\n");

	ret = board_soc_init_host(host);
	if (ret)
		return dev_err_probe(dev, ret, "map the system controllers\n");

	/* The devices of the overlay look for it. */
	pci_set_drvdata(pdev, host);
	ret = board_apply_overlay(host);
	if (ret)
		goto err_overlay;
	ret = board_create_devices(host);
	if (ret)
		goto err_devices;

	ret = board_gate_init(host);
	if (ret)
		goto err_devices;

	board_debugfs_init(host);
	dev_info(dev, "is %s, registers %pr, interrupt %u\n", board_slots[host->index].name,
		 pci_resource_n(pdev, 0), host->wire);
	return 0;

err_devices:
	board_destroy_devices(host);
err_overlay:
	board_remove_overlay(host);
	return ret;
}

static void board_remove(struct pci_dev *pdev)
{
	struct board_host *host = pci_get_drvdata(pdev);

	/* Waits for a test that runs, and lets none begin. */
	board_gate_stop(host);
	debugfs_remove(host->dir);
	board_destroy_devices(host);
	board_remove_overlay(host);
}

static const struct pci_device_id board_ids[] = {
	{ PCI_VDEVICE(REDHAT, 0x0013) },
	{ }
};
MODULE_DEVICE_TABLE(pci, board_ids);

static struct pci_driver board_driver = {
	.name = "ufs_board",
	.id_table = board_ids,
	.probe = board_probe,
	.remove = board_remove,
};

static int __init board_init(void)
{
	int ret;

	ret = board_fdt_check_edits();
	if (ret)
		return ret;

	ret = board_lies_init();
	if (ret)
		return ret;
	ret = board_soc_init();
	if (ret)
		goto err_lies;
	ret = board_apb_init();
	if (ret)
		goto err_soc;

	board_dir = debugfs_create_dir("ufs_board", NULL);
	board_hog_debugfs(board_dir);
	board_race_debugfs(board_dir);
	ret = pci_register_driver(&board_driver);
	if (ret)
		goto err_pci;
	/* Supplies are probed asynchronously, and the hosts wait for them. */
	wait_for_device_probe();
	return 0;

err_pci:
	debugfs_remove(board_dir);
	board_hog_exit();
	board_apb_exit();
err_soc:
	board_soc_exit();
err_lies:
	board_lies_exit();
	return ret;
}
module_init(board_init);

static void __exit board_exit(void)
{
	pci_unregister_driver(&board_driver);
	debugfs_remove(board_dir);
	board_hog_exit();
	board_apb_exit();
	board_soc_exit();
	board_lies_exit();
}
module_exit(board_exit);

MODULE_DESCRIPTION("Test fixture: QEMU's UFS functions as the UFS hosts of a T615-class board");
MODULE_LICENSE("GPL");
/* "fixed" is regulator-fixed. */
MODULE_SOFTDEP("pre: fixed");
