// SPDX-License-Identifier: GPL-2.0
/*
 * The overlay of a host: the compiled one, completed by what only the PCI
 * function can tell, changed as the module's parameters say, and applied.
 */

#include <linux/cleanup.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/libfdt.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board.h"

/* Where dtc puts what is meant for the root of the live tree. */
#define FRAGMENT	"/fragment@0/__overlay__"
#define FIXUPS		"/__local_fixups__"
/* What the edits may add to a tree. */
#define FDT_ROOM	4096
#define MAX_CELLS	32

#define GIC_SPI_FIRST	32

static char *set;
module_param(set, charp, 0444);
MODULE_PARM_DESC(set, "properties of the UFS nodes to set: HOST:PROPERTY=VALUE[/...], HOST 0 or 1, VALUE CELL[:CELL...] or a string or nothing");

static char *drop;
module_param(drop, charp, 0444);
MODULE_PARM_DESC(drop, "properties of the UFS nodes to leave out: HOST:PROPERTY[/...]");

static char *cut;
module_param(cut, charp, 0444);
MODULE_PARM_DESC(cut, "properties of the UFS nodes to shorten by their last cell: HOST:PROPERTY[/...]");

enum board_edit_op { EDIT_SET, EDIT_DROP, EDIT_CUT };

static const char * const board_edit_names[] = {
	[EDIT_SET] = "set",
	[EDIT_DROP] = "drop",
	[EDIT_CUT] = "cut",
};

struct board_edit {
	enum board_edit_op op;
	unsigned int host;
	const char *prop;
	char *value;
};

typedef int (*board_edit_fn)(const struct board_edit *edit, void *ctx);

static int board_parse_edit(struct board_edit *edit, char *word)
{
	char *host = strsep(&word, ":");
	bool wants_value;

	if (!word || kstrtouint(host, 0, &edit->host) || edit->host >= BOARD_HOSTS)
		return -EINVAL;
	edit->prop = strsep(&word, "=");
	edit->value = word;
	/* A value, be it empty, is for "set", and "set" needs one. */
	wants_value = edit->op == EDIT_SET;
	if (!*edit->prop || wants_value != !!edit->value)
		return -EINVAL;
	return 0;
}

static int board_walk_list(enum board_edit_op op, const char *list, board_edit_fn fn, void *ctx)
{
	struct board_edit edit = { .op = op };
	char *word, *start, *rest;
	int ret;

	char *copy __free(kfree) = kstrdup(list, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	rest = copy;
	while ((word = strsep(&rest, "/"))) {
		start = word;
		ret = board_parse_edit(&edit, word);
		if (!ret && fn)
			ret = fn(&edit, ctx);
		if (ret) {
			pr_err("ufs_board: %s=%s: error %d at character %zu\n",
			       board_edit_names[op], list, ret, start - copy + 1);
			return ret;
		}
	}
	return 0;
}

static int board_walk_edits(board_edit_fn fn, void *ctx)
{
	int ret = 0;

	if (set)
		ret = board_walk_list(EDIT_SET, set, fn, ctx);
	if (!ret && drop)
		ret = board_walk_list(EDIT_DROP, drop, fn, ctx);
	if (!ret && cut)
		ret = board_walk_list(EDIT_CUT, cut, fn, ctx);
	return ret;
}

int board_fdt_check_edits(void)
{
	return board_walk_edits(NULL, NULL);
}

static int board_fdt_errno(int err)
{
	switch (-err) {
	case 0:
		return 0;
	case FDT_ERR_NOTFOUND:
		return -ENOENT;
	case FDT_ERR_NOSPACE:
		return -ENOSPC;
	default:
		return -EINVAL;
	}
}

struct board_tree {
	const struct board_host *host;
	void *fdt;
};

/* Offset of the host's UFS node in the tree below @prefix, or an FDT error. */
static int board_ufs_offset(const struct board_tree *tree, const char *prefix)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", prefix, board_slots[tree->host->index].ufs);
	return fdt_path_offset(tree->fdt, path);
}

/*
 * The references to phandles in the first @len bytes of a property stay: those
 * behind are gone, and the OF core must not look for them.
 */
static int board_trim_fixups(const struct board_tree *tree, const char *prop, int len)
{
	int node = board_ufs_offset(tree, FIXUPS FRAGMENT);
	const fdt32_t *refs;
	int bytes, keep = 0;

	if (node < 0)
		return 0;
	refs = fdt_getprop(tree->fdt, node, prop, &bytes);
	if (!refs)
		return 0;
	while (keep < bytes / sizeof(*refs) && fdt32_to_cpu(refs[keep]) + sizeof(*refs) <= len)
		keep++;
	if (!keep)
		return fdt_delprop(tree->fdt, node, prop);
	/* libfdt may shorten a property in place, but not from its own memory. */
	fdt32_t *copy __free(kfree) = kmemdup_array(refs, keep, sizeof(*refs), GFP_KERNEL);

	if (!copy)
		return -FDT_ERR_NOSPACE;
	return fdt_setprop(tree->fdt, node, prop, copy, keep * sizeof(*copy));
}

static int board_set_value(const struct board_tree *tree, int node, const struct board_edit *edit)
{
	fdt32_t cells[MAX_CELLS];
	const char *p = edit->value;
	unsigned int n = 0;
	char word[16];
	u32 cell;

	if (!*p)
		return fdt_setprop(tree->fdt, node, edit->prop, NULL, 0);

	/* Cells, if all of it is numbers. */
	while (n < MAX_CELLS) {
		size_t len = strcspn(p, ":");

		if (len >= sizeof(word))
			break;
		memcpy(word, p, len);
		word[len] = '\0';
		if (kstrtou32(word, 0, &cell))
			break;
		cells[n++] = cpu_to_fdt32(cell);
		if (!p[len])
			return fdt_setprop(tree->fdt, node, edit->prop, cells, n * sizeof(*cells));
		p += len + 1;
	}
	return fdt_setprop_string(tree->fdt, node, edit->prop, edit->value);
}

static int board_cut_value(const struct board_tree *tree, int node, const struct board_edit *edit)
{
	const void *val;
	int len;

	val = fdt_getprop(tree->fdt, node, edit->prop, &len);
	if (!val)
		return len;
	if (len < sizeof(fdt32_t))
		return -FDT_ERR_BADVALUE;
	len -= sizeof(fdt32_t);
	void *copy __free(kfree) = kmemdup(val, max(len, 1), GFP_KERNEL);

	if (!copy)
		return -FDT_ERR_NOSPACE;
	return fdt_setprop(tree->fdt, node, edit->prop, copy, len);
}

static int board_edit_tree(const struct board_edit *edit, void *ctx)
{
	const struct board_tree *tree = ctx;
	int node, len, err = 0;

	if (edit->host != tree->host->index)
		return 0;

	node = board_ufs_offset(tree, FRAGMENT);
	if (node < 0)
		return board_fdt_errno(node);

	switch (edit->op) {
	case EDIT_SET:
		err = board_set_value(tree, node, edit);
		/* Its references are the values given, none of the overlay's. */
		if (!err)
			err = board_trim_fixups(tree, edit->prop, 0);
		break;
	case EDIT_DROP:
		err = fdt_delprop(tree->fdt, node, edit->prop);
		if (!err)
			err = board_trim_fixups(tree, edit->prop, 0);
		break;
	case EDIT_CUT:
		err = board_cut_value(tree, node, edit);
		if (err)
			break;
		node = board_ufs_offset(tree, FRAGMENT);
		if (!fdt_getprop(tree->fdt, node, edit->prop, &len))
			err = len;
		else
			err = board_trim_fixups(tree, edit->prop, len);
		break;
	}
	return board_fdt_errno(err);
}

/* Writes over the cell @index of a property; no offset in the tree moves. */
static int board_put_cell(const struct board_tree *tree, int node, const char *prop,
			  unsigned int index, u32 value)
{
	fdt32_t cell = cpu_to_fdt32(value);

	return fdt_setprop_inplace_namelen_partial(tree->fdt, node, prop, strlen(prop),
						   index * sizeof(cell), &cell, sizeof(cell));
}

/* Properties that refer to a block: the phandle is their first cell. */
static const struct {
	const char *prop;
	enum board_block_id block;
} board_refs[] = {
	/* sprd,ums9230-ufs */
	{ "sprd,ufs-anlg-syscon", BLOCK_PHY },
	{ "sprd,ufs-ap-ahb-syscon", BLOCK_AP_AHB },
	{ "sprd,aon-apb-syscon", BLOCK_AON_APB },
	/* sprd,ufshc-ums9230 */
	{ "aon_apb_ufs_en", BLOCK_AON_APB },
	{ "ap_ahb_ufs_clk", BLOCK_AP_AHB },
	{ "ap_apb_ufs_en", BLOCK_AP_APB },
	{ "ufs_refclk_on", BLOCK_AP_AHB },
	{ "ahb_ufs_lp", BLOCK_AP_AHB },
	{ "ahb_ufs_force_isol", BLOCK_AP_AHB },
	{ "ahb_ufs_cb", BLOCK_AP_AHB },
	{ "ahb_ufs_ies_en", BLOCK_AP_AHB },
	{ "ahb_ufs_cg_pclkreq", BLOCK_AP_AHB },
	{ "ap_apb_cfg_frc_on", BLOCK_AP_AHB },
};

static int board_put_refs(const struct board_tree *tree, int node)
{
	for (int i = 0; i < ARRAY_SIZE(board_refs); i++) {
		u32 phandle = board_soc_phandle(tree->host->index, board_refs[i].block);
		int err = board_put_cell(tree, node, board_refs[i].prop, 0, phandle);

		if (err && err != -FDT_ERR_NOTFOUND)
			return err;
	}
	return 0;
}

/* What the compiled overlay leaves open, see there. */
static int board_complete_tree(const struct board_tree *tree)
{
	const struct board_host *host = tree->host;
	struct irq_data *irqd = irq_get_irq_data(host->wire);
	u64 start = pci_resource_start(host->pdev, 0);
	u32 size = pci_resource_len(host->pdev, 0);
	int soc, node, err;

	if (!irqd || irqd_to_hwirq(irqd) < GIC_SPI_FIRST)
		return -ENXIO;

	node = board_ufs_offset(tree, FRAGMENT);
	if (node < 0)
		return board_fdt_errno(node);
	soc = fdt_parent_offset(tree->fdt, node);
	if (soc < 0)
		return board_fdt_errno(soc);

	/* <child-address parent-address-high parent-address-low size> */
	err = board_put_cell(tree, soc, "ranges", 1, upper_32_bits(start)) ?:
	      board_put_cell(tree, soc, "ranges", 2, lower_32_bits(start)) ?:
	      board_put_cell(tree, soc, "ranges", 3, size) ?:
	      board_put_cell(tree, node, "reg", 1, size) ?:
	      board_put_cell(tree, node, "interrupts", 1, irqd_to_hwirq(irqd) - GIC_SPI_FIRST) ?:
	      board_put_refs(tree, node);
	return board_fdt_errno(err);
}

/**
 * board_fdt_apply - make and apply the overlay of a host
 * @host: the host; its @ovcs_id is set, even on an error, to what has to be
 *	removed with of_overlay_remove()
 *
 * Return: 0 or a negative error number.
 */
int board_fdt_apply(struct board_host *host)
{
	const struct board_slot *slot = &board_slots[host->index];
	size_t room = slot->dtbo_end - slot->dtbo + FDT_ROOM;
	struct board_tree tree = { .host = host };
	int ret;

	void *buf __free(kfree) = kzalloc(room, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	tree.fdt = buf;
	ret = board_fdt_errno(fdt_open_into(slot->dtbo, buf, room));
	if (ret)
		return ret;
	ret = board_complete_tree(&tree);
	if (ret)
		return ret;
	ret = board_walk_edits(board_edit_tree, &tree);
	if (ret)
		return ret;
	return of_overlay_fdt_apply(buf, room, &host->ovcs_id, NULL);
}

/**
 * board_fdt_apply_soc - make and apply the overlay of the blocks, for good
 * @pages: the physical address of the memory behind them, for the next load
 *
 * Return: 0 or a negative error number, with nothing applied.
 */
int board_fdt_apply_soc(u64 pages)
{
	size_t room = __dtbo_soc_end - __dtbo_soc_begin + FDT_ROOM;
	int node, ret, ovcs_id = 0;

	void *buf __free(kfree) = kzalloc(room, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	ret = fdt_open_into(__dtbo_soc_begin, buf, room);
	if (ret)
		return board_fdt_errno(ret);
	node = fdt_path_offset(buf, FRAGMENT "/ufs-board-soc");
	if (node < 0)
		return board_fdt_errno(node);
	ret = fdt_setprop_u64(buf, node, "ufs-board,pages", pages);
	if (ret)
		return board_fdt_errno(ret);
	ret = of_overlay_fdt_apply(buf, room, &ovcs_id, NULL);
	if (ret)
		of_overlay_remove(&ovcs_id);
	return ret;
}
