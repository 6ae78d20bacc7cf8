// SPDX-License-Identifier: GPL-2.0
/*
 * The resets and the clock gates of a host: bits of its AP_APB block. And a gate
 * that is none of these, which switches VCC.
 *
 * The resets are those of reset-simple, with a log. There is one user of each,
 * and it is gone before they are, so nobody needs to hold this module.
 */

#include <linux/cleanup.h>
#include <linux/clk-provider.h>
#include <linux/io.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/reset-controller.h>
#include <linux/reset/reset-simple.h>
#include <linux/spinlock.h>

#include <ufs/ufshci.h>

#include "board.h"

#define APB_EB1		0x0c
/* Each bit of APB_EB and APB_RST, the first two registers, is one to reset-simple. */
#define APB_RESETS	(2 * 32)

/*
 * As in board_gate.c: reading them shows in QEMU's trace and does nothing else.
 * It is for one test only: what else reads them, such as a dump of the core's,
 * would be taken for a clock that is switched.
 */
#define MARK_OFF	REG_CONTROLLER_PID
#define MARK_ON		REG_CONTROLLER_MID

struct board_apb;

struct board_gate_clk {
	struct clk_hw hw;
	struct board_apb *apb;
	unsigned int index;
};

/* In the order of clock-output-names; a name that is empty: no such gate. */
enum { GATE_VCC, GATE_CORE, GATE_EB, GATES };

static const struct {
	const char *event;
	u32 bit;
} board_gates[GATES] = {
	/* What regulator-fixed-clock makes a supply of; no register shows it. */
	[GATE_VCC] = { "supply vcc", 0 },
	[GATE_CORE] = { "clock core", BIT(0) },
	[GATE_EB] = { "clock eb", BIT(1) },
};

/**
 * struct board_apb - resets and clock gates of a host
 * @host: the host
 * @resets: the resets
 * @lock: protects the register of the gates
 * @regs: the block
 * @gates: the clock gates
 */
struct board_apb {
	struct board_host *host;
	struct reset_simple_data resets;
	spinlock_t lock;	/* taken with interrupts off */
	void __iomem *regs;
	struct board_gate_clk gates[GATES];
};

static const char *board_reset_name(unsigned long id)
{
	switch (id) {
	case 4:
		return "reset global";
	case 32 + 24:
		return "reset controller";
	default:
		return "reset unknown";
	}
}

static struct board_apb *board_apb_of(struct reset_controller_dev *rcdev)
{
	return container_of(rcdev, struct board_apb, resets.rcdev);
}

static int board_reset_assert(struct reset_controller_dev *rcdev, unsigned long id)
{
	int ret = reset_simple_ops.assert(rcdev, id);

	board_soc_event(board_apb_of(rcdev)->host, board_reset_name(id), "assert");
	return ret;
}

static int board_reset_deassert(struct reset_controller_dev *rcdev, unsigned long id)
{
	int ret = reset_simple_ops.deassert(rcdev, id);

	board_soc_event(board_apb_of(rcdev)->host, board_reset_name(id), "deassert");
	return ret;
}

static int board_reset_status(struct reset_controller_dev *rcdev, unsigned long id)
{
	return reset_simple_ops.status(rcdev, id);
}

static const struct reset_control_ops board_reset_ops = {
	.assert = board_reset_assert,
	.deassert = board_reset_deassert,
	.status = board_reset_status,
};

static void board_mark_clock(struct board_host *host, unsigned int mark)
{
	if (host->clock_markers)
		readl(host->regs + mark);
}

static void board_apb_update(struct board_apb *apb, u32 bit, bool on)
{
	u32 value;

	guard(spinlock_irqsave)(&apb->lock);

	value = readl(apb->regs + APB_EB1);
	if (on)
		value |= bit;
	else
		value &= ~bit;
	writel(value, apb->regs + APB_EB1);
}

static void board_gate_clk_switch(struct board_gate_clk *gate, bool on)
{
	struct board_host *host = gate->apb->host;
	u32 bit = board_gates[gate->index].bit;

	/* Nothing may reach the controller without its clock. */
	if (!on && gate->index == GATE_CORE)
		board_mark_clock(host, MARK_OFF);
	if (bit)
		board_apb_update(gate->apb, bit, on);
	board_soc_event(host, board_gates[gate->index].event, on ? "on" : "off");
	if (on && gate->index == GATE_CORE)
		board_mark_clock(host, MARK_ON);
}

static int board_gate_clk_enable(struct clk_hw *hw)
{
	board_gate_clk_switch(container_of(hw, struct board_gate_clk, hw), true);
	return 0;
}

static void board_gate_clk_disable(struct clk_hw *hw)
{
	board_gate_clk_switch(container_of(hw, struct board_gate_clk, hw), false);
}

static const struct clk_ops board_gate_clk_ops = {
	.enable = board_gate_clk_enable,
	.disable = board_gate_clk_disable,
};

static void board_apb_del_provider(void *np)
{
	of_clk_del_provider(np);
}

static void board_apb_unregister_clk(void *hw)
{
	clk_hw_unregister(hw);
}

/* No device is given with the clocks: its driver would be held by their users. */
static int board_apb_add_gate(struct device *dev, struct board_apb *apb, unsigned int index)
{
	struct board_gate_clk *gate = &apb->gates[index];
	const struct clk_parent_data parent = { .index = 0 };
	struct clk_init_data init = {
		.ops = &board_gate_clk_ops,
		.parent_data = &parent,
		.num_parents = 1,
	};
	int ret;

	ret = of_property_read_string_index(dev->of_node, "clock-output-names", index, &init.name);
	if (ret)
		return ret;
	if (!*init.name)
		return 0;
	gate->apb = apb;
	gate->index = index;
	gate->hw.init = &init;
	ret = of_clk_hw_register(dev->of_node, &gate->hw);
	if (ret)
		return ret;
	return devm_add_action_or_reset(dev, board_apb_unregister_clk, &gate->hw);
}

static struct clk_hw *board_apb_get_clk(struct of_phandle_args *args, void *data)
{
	struct board_apb *apb = data;

	if (args->args[0] >= GATES || !apb->gates[args->args[0]].apb)
		return ERR_PTR(-EINVAL);
	return &apb->gates[args->args[0]].hw;
}

static int board_apb_add_gates(struct device *dev, struct board_apb *apb)
{
	int ret;

	for (unsigned int i = 0; i < GATES; i++) {
		ret = board_apb_add_gate(dev, apb, i);
		if (ret)
			return ret;
	}
	ret = of_clk_add_hw_provider(dev->of_node, board_apb_get_clk, apb);
	if (ret)
		return ret;
	return devm_add_action_or_reset(dev, board_apb_del_provider, dev->of_node);
}

static int board_apb_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct board_apb *apb;
	int ret;

	apb = devm_kzalloc(dev, sizeof(*apb), GFP_KERNEL);
	if (!apb)
		return -ENOMEM;
	apb->host = pci_get_drvdata(to_pci_dev(dev->parent));
	apb->regs = board_soc_block(apb->host, BLOCK_AP_APB);
	spin_lock_init(&apb->lock);

	ret = board_apb_add_gates(dev, apb);
	if (ret)
		return dev_err_probe(dev, ret, "clock gates\n");

	spin_lock_init(&apb->resets.lock);
	apb->resets.membase = apb->regs;
	apb->resets.rcdev.ops = &board_reset_ops;
	apb->resets.rcdev.of_node = dev->of_node;
	apb->resets.rcdev.nr_resets = APB_RESETS;
	return devm_reset_controller_register(dev, &apb->resets.rcdev);
}

static int board_apb_resume_noirq(struct device *dev)
{
	board_hog_resume();
	return 0;
}

static DEFINE_NOIRQ_DEV_PM_OPS(board_apb_pm_ops, NULL, board_apb_resume_noirq);

static const struct of_device_id board_apb_ids[] = {
	{ .compatible = "ufs-board,ap-apb" },
	{ }
};

static struct platform_driver board_apb_driver = {
	.probe = board_apb_probe,
	.driver = {
		.name = "ufs_board_apb",
		.of_match_table = board_apb_ids,
		.pm = pm_sleep_ptr(&board_apb_pm_ops),
	},
};

int board_apb_init(void)
{
	return platform_driver_register(&board_apb_driver);
}

void board_apb_exit(void)
{
	platform_driver_unregister(&board_apb_driver);
}
