// SPDX-License-Identifier: GPL-2.0
/*
 * readcost DISK COUNT: how many instructions the CPU executes for one 4 KiB
 * read, from the system call to its return, everything in between included:
 * submission, interrupt, completion, each switch of tasks. Prints the number of
 * reads for each cost, as "INSTRUCTIONS READS".
 *
 * A clock would also count how long the emulated device and the machine below
 * take, which is noise. The counter stands still while the CPU is idle. It counts
 * one CPU, so the machine should have one.
 */

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK	4096
#define SPAN	(64 << 20)
/* Reads before the first that counts. */
#define WARM_UP	50

static int counter;

static uint64_t now(void)
{
	uint64_t count;

	if (read(counter, &count, sizeof(count)) != sizeof(count))
		err(1, "reading the instruction counter");
	return count;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* What reading the counter twice costs by itself. */
static uint64_t overhead(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		uint64_t before = now(), cost = now() - before;

		if (cost < least)
			least = cost;
	}
	return least;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};
	long count = argc == 3 ? atol(argv[2]) : 0;
	uint64_t *costs = calloc(count, sizeof(*costs)), base;
	void *block;
	int disk;

	if (count <= 0)
		errx(2, "usage: readcost DISK COUNT");
	disk = open(argv[1], O_RDONLY | O_DIRECT);
	if (disk < 0)
		err(1, "%s", argv[1]);
	if (!costs || posix_memalign(&block, BLOCK, BLOCK))
		errx(1, "out of memory");
	counter = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (counter < 0)
		err(1, "instruction counter");
	base = overhead();

	srandom(1);
	for (long i = -WARM_UP; i < count; i++) {
		off_t offset = random() % (SPAN / BLOCK) * (off_t)BLOCK;
		uint64_t before = now();

		if (pread(disk, block, BLOCK, offset) != BLOCK)
			err(1, "%s: read at %lld", argv[1], (long long)offset);
		if (i >= 0)
			costs[i] = now() - before - base;
	}

	qsort(costs, count, sizeof(*costs), by_value);
	for (long i = 0, same = 1; i < count; i++, same++) {
		if (i + 1 < count && costs[i + 1] == costs[i])
			continue;
		printf("%llu %ld\n", (unsigned long long)costs[i], same);
		same = 0;
	}
	return 0;
}
