// SPDX-License-Identifier: GPL-2.0
/*
 * The system controllers and the M-PHY of a host: memory that behaves like
 * registers.
 *
 * The machine has no such blocks, so their addresses are in a part of its memory
 * map where nothing is, and mappings of that part are turned to pages of this
 * module while they are made. Whoever maps the blocks (the kernel's syscon code,
 * the driver under test) does it as on a phone and gets memory.
 *
 * The kernel never gives up a system controller once it was looked up: its node
 * and its mapping stay. So the nodes and the pages stay as well, and are found
 * again when the module is loaded again.
 */

#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "board.h"

/* As in soc.dtso. */
#define SOC_BASE	0x0f000000
#define SOC_BLOCK_SIZE	SZ_64K
#define SOC_HOST_SIZE	(BOARD_BLOCKS * SOC_BLOCK_SIZE)
#define SOC_SIZE	(BOARD_HOSTS * SOC_HOST_SIZE)

/* In AON_APB. */
#define AON_VER_ID	0xf8
/* In AP_APB: the gates of the clocks. */
#define APB_EB1		0x0c

#define PRESET_MAX	SZ_64K
#define EVENTS		1024

static char *version;
module_param(version, charp, 0444);
MODULE_PARM_DESC(version, "version id of the chip: HOST:ID[/...], HOST 0 or 1; default 0:1/1:0");

static u32 board_versions[BOARD_HOSTS] = { 1, 0 };

struct board_block {
	const char *name;
	const char *path[BOARD_HOSTS];
};

static const struct board_block board_blocks[BOARD_BLOCKS] = {
	[BLOCK_AON_APB] = {
		"aon_apb", { "/ufs-board-soc/aon-apb@f000000", "/ufs-board-soc/aon-apb@f040000" },
	},
	[BLOCK_AP_APB] = {
		"ap_apb", { "/ufs-board-soc/ap-apb@f010000", "/ufs-board-soc/ap-apb@f050000" },
	},
	[BLOCK_AP_AHB] = {
		"ap_ahb", { "/ufs-board-soc/ap-ahb@f020000", "/ufs-board-soc/ap-ahb@f060000" },
	},
	[BLOCK_PHY] = {
		"phy", { "/ufs-board-soc/phy@f030000", "/ufs-board-soc/phy@f070000" },
	},
};

struct board_event {
	u64 us;
	const char *what;
	const char *how;
	u32 eb1;
};

/**
 * struct board_soc - the blocks of a host
 * @regs: where they are mapped
 * @fill: what each was filled with last
 * @lock: protects @events and @count
 * @count: how many events there were
 * @events: the last ones
 */
struct board_soc {
	void __iomem *regs;
	u32 fill[BOARD_BLOCKS];
	/* Clocks log with interrupts off. */
	spinlock_t lock;
	unsigned int count;
	struct board_event events[EVENTS];
};

static phys_addr_t board_backing;

/* A mapping of the blocks becomes one of the pages behind them. */
static int board_redirect(struct kprobe *kp, struct pt_regs *regs)
{
	u64 phys = regs_get_kernel_argument(regs, 0);

	if (phys >= SOC_BASE && phys < SOC_BASE + SOC_SIZE)
		regs->regs[0] = phys - SOC_BASE + board_backing;
	else
		regs->regs[0] = board_lies_redirect(phys);
	return 0;
}

/* What ioremap() calls when it has seen that the address is not RAM. */
static struct kprobe board_mapping = {
	.symbol_name = "generic_ioremap_prot",
	.pre_handler = board_redirect,
};

void __iomem *board_soc_block(struct board_host *host, enum board_block_id id)
{
	return host->soc->regs + id * SOC_BLOCK_SIZE;
}

/**
 * board_soc_phandle - what refers to a block in the device tree
 * @index: the host
 * @id: the block
 *
 * Return: the phandle, 0 if there is none.
 */
u32 board_soc_phandle(unsigned int index, enum board_block_id id)
{
	struct device_node *np = of_find_node_by_path(board_blocks[id].path[index]);
	u32 phandle = np ? np->phandle : 0;

	of_node_put(np);
	return phandle;
}

/**
 * board_soc_event - log a reset or a clock that was switched
 * @host: the host it belongs to
 * @what: its name
 * @how: what happened
 */
void board_soc_event(struct board_host *host, const char *what, const char *how)
{
	struct board_soc *soc = host->soc;
	struct board_event *event;

	guard(spinlock_irqsave)(&soc->lock);

	event = &soc->events[soc->count++ % EVENTS];
	event->us = ktime_to_us(ktime_get());
	event->what = what;
	event->how = how;
	event->eb1 = readl(board_soc_block(host, BLOCK_AP_APB) + APB_EB1);
}

static int board_events_show(struct seq_file *s, void *unused)
{
	struct board_host *host = s->private;
	struct board_soc *soc = host->soc;
	struct board_event event;
	unsigned int i, end;

	scoped_guard(spinlock_irq, &soc->lock)
		end = soc->count;
	for (i = end > EVENTS ? end - EVENTS : 0; i < end; i++) {
		scoped_guard(spinlock_irq, &soc->lock)
			event = soc->events[i % EVENTS];
		seq_printf(s, "%llu %s %s eb1 %#x\n", event.us, event.what, event.how, event.eb1);
	}
	if (end > EVENTS)
		seq_printf(s, "lost %u\n", end - EVENTS);
	return 0;
}

static ssize_t board_events_write(struct file *file, const char __user *data, size_t len,
				  loff_t *pos)
{
	struct board_host *host = ((struct seq_file *)file->private_data)->private;

	scoped_guard(spinlock_irq, &host->soc->lock)
		host->soc->count = 0;
	return len;
}

DEFINE_SHOW_STORE_ATTRIBUTE(board_events);

/* What differs from the value the block was filled with. */
static int board_regs_show(struct seq_file *s, void *unused)
{
	struct board_host *host = s->private;

	for (unsigned int id = 0; id < BOARD_BLOCKS; id++) {
		void __iomem *regs = board_soc_block(host, id);

		for (unsigned int at = 0; at < SOC_BLOCK_SIZE; at += sizeof(u32)) {
			u32 value = readl(regs + at);

			if (value != host->soc->fill[id])
				seq_printf(s, "%s 0x%04x 0x%08x\n", board_blocks[id].name, at,
					   value);
		}
	}
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(board_regs);

static void board_fill(struct board_host *host, enum board_block_id id, u32 value)
{
	void __iomem *regs = board_soc_block(host, id);

	for (unsigned int at = 0; at < SOC_BLOCK_SIZE; at += sizeof(u32))
		writel(value, regs + at);
	host->soc->fill[id] = value;
}

static int board_preset_line(struct board_host *host, char *line)
{
	char *name = strsep(&line, " ");
	char *where = strsep(&line, " ");
	u32 at, value;
	int id;

	for (id = 0; id < BOARD_BLOCKS; id++) {
		if (!strcmp(name, board_blocks[id].name))
			break;
	}
	if (id == BOARD_BLOCKS || !line || kstrtou32(line, 0, &value))
		return -EINVAL;
	if (!strcmp(where, "*")) {
		board_fill(host, id, value);
		return 0;
	}
	if (kstrtou32(where, 0, &at) || at % sizeof(u32) || at >= SOC_BLOCK_SIZE)
		return -EINVAL;
	writel(value, board_soc_block(host, id) + at);
	return 0;
}

static ssize_t board_preset_write(struct file *file, const char __user *data, size_t len,
				  loff_t *pos)
{
	char *rest, *line;
	int ret;

	if (len > PRESET_MAX)
		return -E2BIG;
	char *text __free(kfree) = memdup_user_nul(data, len);

	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		ret = board_preset_line(file->private_data, line);
		if (ret)
			return ret;
	}
	return len;
}

static const struct file_operations board_preset_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = board_preset_write,
};

void board_soc_debugfs(struct board_host *host)
{
	debugfs_create_file("regs", 0444, host->dir, host, &board_regs_fops);
	debugfs_create_file("preset", 0200, host->dir, host, &board_preset_fops);
	debugfs_create_file("events", 0644, host->dir, host, &board_events_fops);
	debugfs_create_bool("clock_markers", 0644, host->dir, &host->clock_markers);
}

/* The blocks of a host as it is switched on: zeroes, and the chip's version. */
int board_soc_init_host(struct board_host *host)
{
	struct device *dev = &host->pdev->dev;

	host->soc = devm_kzalloc(dev, sizeof(*host->soc), GFP_KERNEL);
	if (!host->soc)
		return -ENOMEM;
	spin_lock_init(&host->soc->lock);
	host->soc->regs = devm_ioremap(dev, SOC_BASE + host->index * SOC_HOST_SIZE, SOC_HOST_SIZE);
	if (!host->soc->regs)
		return -ENOMEM;
	for (unsigned int id = 0; id < BOARD_BLOCKS; id++)
		board_fill(host, id, 0);
	writel(board_versions[host->index], board_soc_block(host, BLOCK_AON_APB) + AON_VER_ID);
	return 0;
}

static int board_parse_versions(void)
{
	unsigned int host;
	char *word, *rest;
	u32 id;

	if (!version)
		return 0;
	char *copy __free(kfree) = kstrdup(version, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	rest = copy;
	while ((word = strsep(&rest, "/"))) {
		char *index = strsep(&word, ":");

		if (!word || kstrtouint(index, 0, &host) || host >= BOARD_HOSTS ||
		    kstrtou32(word, 0, &id)) {
			pr_err("ufs_board: version=%s: not HOST:ID[/...]\n", version);
			return -EINVAL;
		}
		board_versions[host] = id;
	}
	return 0;
}

/* The nodes that a former load left behind say where the pages are. */
static int board_find_backing(void)
{
	struct device_node *np __free(device_node) = of_find_node_by_path("/ufs-board-soc");
	u64 backing;
	int ret;

	if (!np)
		return -ENOENT;
	ret = of_property_read_u64(np, "ufs-board,pages", &backing);
	if (!ret)
		board_backing = backing;
	return ret;
}

static int board_make_backing(void)
{
	void *pages = alloc_pages_exact(SOC_SIZE, GFP_KERNEL | __GFP_ZERO);
	int ret;

	if (!pages)
		return -ENOMEM;
	board_backing = virt_to_phys(pages);
	ret = board_fdt_apply_soc(board_backing);
	if (ret)
		free_pages_exact(pages, SOC_SIZE);
	return ret;
}

int board_soc_init(void)
{
	int ret;

	ret = board_parse_versions();
	if (ret)
		return ret;
	ret = board_find_backing();
	if (ret == -ENOENT)
		ret = board_make_backing();
	if (ret) {
		pr_err("ufs_board: system controllers: error %d\n", ret);
		return ret;
	}
	ret = register_kprobe(&board_mapping);
	if (ret)
		pr_err("ufs_board: kprobe on %s: error %d\n", board_mapping.symbol_name, ret);
	return ret;
}

void board_soc_exit(void)
{
	unregister_kprobe(&board_mapping);
}
