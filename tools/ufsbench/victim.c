// SPDX-License-Identifier: GPL-2.0
/*
 * victim [CPU [STAT]]: a thread that wants a CPU every half millisecond, and more
 * urgently than anything else (SCHED_FIFO 98), as audio does. When it is told to end
 * (SIGTERM, SIGINT) it prints how much too late it got the CPU, as lines
 * "MICROSECONDS TIMES".
 *
 * STAT is a block device's file in sysfs. With it, only those half milliseconds count
 * in which requests of that device completed: not those in which its load starts, ends
 * or does something else.
 */

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS	500000
#define MOST_US		100000

static unsigned int times[MOST_US + 1];
static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static void stay_on(const char *name)
{
	char *rest;
	long cpu = strtol(name, &rest, 10);
	cpu_set_t cpus;

	if (!*name || *rest || cpu < 0 || cpu >= CPU_SETSIZE)
		errx(2, "'%s' is no number of a CPU", name);
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU %ld", cpu);
}

/* Requests that have completed so far. */
static unsigned long completed(int stat)
{
	unsigned long reads, writes;
	char text[256];
	ssize_t length = pread(stat, text, sizeof(text) - 1, 0);

	if (length <= 0)
		err(1, "cannot read the device's statistics");
	text[length] = 0;
	if (sscanf(text, "%lu %*u %*u %*u %lu", &reads, &writes) != 2)
		errx(1, "these are no statistics of a block device: %s", text);
	return reads + writes;
}

static void measure(int stat)
{
	unsigned long before = stat < 0 ? 0 : completed(stat), now_completed;
	struct timespec next, now;

	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!ended) {
		int64_t late_us;

		next.tv_nsec += PERIOD_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL))
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		late_us = (ns_of(&now) - ns_of(&next)) / 1000;
		/* What it has missed is one delay, not one for each period. */
		if (late_us * 1000 > PERIOD_NS)
			next = now;
		now_completed = stat < 0 ? before + 1 : completed(stat);
		if (now_completed != before)
			times[late_us < 0 ? 0 : late_us > MOST_US ? MOST_US : late_us]++;
		before = now_completed;
	}
}

int main(int argc, char **argv)
{
	struct sched_param urgent = { .sched_priority = 98 };
	struct sigaction on_end = { .sa_handler = end };
	int stat = -1;

	if (argc > 3)
		errx(2, "usage: victim [CPU [STAT]]");
	if (argc > 1)
		stay_on(argv[1]);
	if (argc > 2) {
		stat = open(argv[2], O_RDONLY | O_CLOEXEC);
		if (stat < 0)
			err(1, "%s", argv[2]);
	}
	sigaction(SIGTERM, &on_end, NULL);
	sigaction(SIGINT, &on_end, NULL);
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "mlockall");
	if (sched_setscheduler(0, SCHED_FIFO, &urgent))
		err(1, "SCHED_FIFO");
	measure(stat);
	for (int us = 0; us <= MOST_US; us++)
		if (times[us])
			printf("%d %u\n", us, times[us]);
	return 0;
}
