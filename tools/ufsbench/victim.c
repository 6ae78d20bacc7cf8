// SPDX-License-Identifier: GPL-2.0
/*
 * victim COUNT: a thread that wants the CPU COUNT times, every half millisecond, and
 * more urgently than anything else (SCHED_FIFO 98), as audio does. Prints how much too
 * late it got it, as "MICROSECONDS TIMES".
 *
 * Behind it a thread that runs whenever nobody else wants to keeps the CPU from going
 * idle: the clock of a machine that counts instructions stands still then, and goes on
 * as the machine below it pleases.
 */

#define _GNU_SOURCE
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define PERIOD_NS	500000
#define MOST_US		100000

static unsigned int times[MOST_US + 1];

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static void *keep_busy(void *arg)
{
	struct sched_param none = { 0 };

	if (pthread_setschedparam(pthread_self(), SCHED_IDLE, &none))
		errx(1, "SCHED_IDLE");
	for (;;)
		asm volatile("" ::: "memory");
	return NULL;
}

int main(int argc, char **argv)
{
	long count = argc == 2 ? atol(argv[1]) : 0;
	struct sched_param urgent = { .sched_priority = 98 };
	struct timespec next, now;
	pthread_t thread;

	if (count <= 0)
		errx(2, "usage: victim COUNT");
	if (pthread_create(&thread, NULL, keep_busy, NULL))
		errx(1, "cannot make a thread");
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "mlockall");
	if (sched_setscheduler(0, SCHED_FIFO, &urgent))
		err(1, "SCHED_FIFO");
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (long i = 0; i < count; i++) {
		int64_t late_us;

		next.tv_nsec += PERIOD_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		late_us = (ns_of(&now) - ns_of(&next)) / 1000;
		times[late_us < 0 ? 0 : late_us > MOST_US ? MOST_US : late_us]++;
	}
	for (int us = 0; us <= MOST_US; us++)
		if (times[us])
			printf("%d %u\n", us, times[us]);
	return 0;
}
