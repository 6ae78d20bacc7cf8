// SPDX-License-Identifier: GPL-2.0
/*
 * Stands in for the driver that phones come with: it has the name of that module
 * and claims the same hosts, and does nothing with them. For tests of which of the
 * two gets a host.
 */

#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static int stand_in_probe(struct platform_device *pdev)
{
	dev_info(&pdev->dev, "bound by the stand-in for the vendor's driver\n");
	return 0;
}

static const struct of_device_id stand_in_of_match[] = {
	{ .compatible = "sprd,ufshc-ums9230" },
	{}
};
MODULE_DEVICE_TABLE(of, stand_in_of_match);

static struct platform_driver stand_in_driver = {
	.probe = stand_in_probe,
	.driver = {
		.name = KBUILD_MODNAME,
		.of_match_table = stand_in_of_match,
	},
};
module_platform_driver(stand_in_driver);

MODULE_DESCRIPTION("Stand-in for the vendor's UFS host driver");
MODULE_LICENSE("GPL");
