/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What bindgen reads: the C interfaces the kernel crate has no bindings for.
 */
#include <linux/async.h>
#include <linux/mfd/syscon.h>
#include <linux/regmap.h>
#include <linux/reset.h>
#include <linux/reset-controller.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_host.h>
#include <ufs/ufshcd.h>

#include "helpers.h"
