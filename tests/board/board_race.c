// SPDX-License-Identifier: GPL-2.0
/*
 * A data race on purpose: a kernel that looks for them must find this one, or its
 * silence about all others says nothing.
 */

#include <linux/compiler.h>
#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "board.h"

#define RACE_MAX_MS	60000

static u64 race_count;

/* Has the name in the report, by which the runner knows it as one of ours. */
static noinline void ufs_board_race(void)
{
	race_count++;
}

/* One writer races with another, each for so many ms. */
static int race_set(void *data, u64 ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(min(ms, RACE_MAX_MS));

	while (time_before(jiffies, end)) {
		ufs_board_race();
		cond_resched();
	}
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(race_fops, NULL, race_set, "%llu\n");

void board_race_debugfs(struct dentry *dir)
{
	debugfs_create_file("race", 0200, dir, NULL, &race_fops);
}
