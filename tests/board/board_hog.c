// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps a CPU from running the threads of interrupts: what is to be done by then
 * must not need them. Hard interrupts go on.
 */

#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "board.h"

/* Less than what the detector of soft lockups takes for one. */
#define HOG_MAX_MS	15000

/* One at a time. */
static DEFINE_MUTEX(hog_lock);
static struct task_struct *hog;
static unsigned long hog_end;
static unsigned int hog_ms;
static bool hog_at_resume;
static DECLARE_COMPLETION(hog_begin);

static int hog_thread(void *data)
{
	if (wait_for_completion_interruptible(&hog_begin) || kthread_should_stop())
		return 0;
	/* The priority of interrupts' threads, which do not preempt each other. */
	sched_set_fifo(current);
	while (time_before(jiffies, READ_ONCE(hog_end)))
		cpu_relax();

	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void hog_go(void)
{
	WRITE_ONCE(hog_end, jiffies + msecs_to_jiffies(hog_ms));
	complete(&hog_begin);
}

static void hog_stop(void)
{
	if (!hog)
		return;
	hog_at_resume = false;
	/* It may not have begun. */
	complete(&hog_begin);
	kthread_stop(hog);
	hog = NULL;
}

/* Before any device is resumed. */
void board_hog_resume(void)
{
	if (xchg(&hog_at_resume, false))
		hog_go();
}

/* "CPU MS [resume]": now, or with the next resume. Waits for one that still runs. */
static ssize_t hog_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	char buf[32] = "", when[8] = "";
	unsigned int cpu, ms;

	if (len >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, data, len))
		return -EFAULT;
	if (sscanf(buf, "%u %u %7s", &cpu, &ms, when) < 2 || ms > HOG_MAX_MS ||
	    cpu >= nr_cpu_ids || !cpu_online(cpu) || (*when && strcmp(when, "resume")))
		return -EINVAL;

	guard(mutex)(&hog_lock);

	hog_stop();
	reinit_completion(&hog_begin);
	hog_ms = ms;
	hog_end = jiffies;
	hog = kthread_create(hog_thread, NULL, "ufs-board-hog");
	if (IS_ERR(hog)) {
		int ret = PTR_ERR(hog);

		hog = NULL;
		return ret;
	}
	kthread_bind(hog, cpu);
	wake_up_process(hog);
	if (*when)
		hog_at_resume = true;
	else
		hog_go();
	return len;
}

/* How many ms it still takes. */
static int hog_show(struct seq_file *s, void *unused)
{
	long left = hog_end - jiffies;

	guard(mutex)(&hog_lock);

	seq_printf(s, "%u\n", hog && left > 0 ? jiffies_to_msecs(left) : 0);
	return 0;
}

DEFINE_SHOW_STORE_ATTRIBUTE(hog);

void board_hog_debugfs(struct dentry *dir)
{
	debugfs_create_file("hog", 0644, dir, NULL, &hog_fops);
}

/* When the file is gone. */
void board_hog_exit(void)
{
	hog_stop();
}
