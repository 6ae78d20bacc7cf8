// SPDX-License-Identifier: GPL-2.0
/*
 * cpureads DISK COUNT CPU...: on each of the CPUs a thread that does COUNT random
 * 4 KiB reads, one at a time. Before the first and after the last a mark for
 * QEMU's plugin (rig/qemu/cpucount.c), which counts what each CPU executes in
 * between.
 *
 * Not counted here, by the CPUs' own counters: with -icount those all show the
 * instructions of all CPUs.
 */

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define BLOCK	4096
#define SPAN	(64 << 20)
#define WARM_UP	50

static const char *disk;
static long count;
static pthread_barrier_t begin, end;

static void mark(void)
{
	asm volatile("hint #0x60" ::: "memory");
}

static void read_some(int fd, void *block, long reads, unsigned int *seed)
{
	for (long i = 0; i < reads; i++) {
		off_t offset = rand_r(seed) % (SPAN / BLOCK) * (off_t)BLOCK;

		if (pread(fd, block, BLOCK, offset) != BLOCK)
			err(1, "%s: read at %lld", disk, (long long)offset);
	}
}

static void *reader(void *arg)
{
	unsigned int seed = (long)arg + 1;
	void *block;
	cpu_set_t cpus;
	int fd = open(disk, O_RDONLY | O_DIRECT);

	CPU_ZERO(&cpus);
	CPU_SET((long)arg, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU %ld", (long)arg);
	if (fd < 0)
		err(1, "%s", disk);
	if (posix_memalign(&block, BLOCK, BLOCK))
		errx(1, "out of memory");
	read_some(fd, block, WARM_UP, &seed);
	/* One of them marks, when all are there; the others wait for it. */
	if (pthread_barrier_wait(&begin) == PTHREAD_BARRIER_SERIAL_THREAD)
		mark();
	pthread_barrier_wait(&begin);
	read_some(fd, block, count, &seed);
	if (pthread_barrier_wait(&end) == PTHREAD_BARRIER_SERIAL_THREAD)
		mark();
	return NULL;
}

int main(int argc, char **argv)
{
	int jobs = argc - 3;
	pthread_t threads[64];

	count = argc > 3 ? atol(argv[2]) : 0;
	if (count <= 0 || jobs > 64)
		errx(2, "usage: cpureads DISK COUNT CPU...");
	disk = argv[1];
	pthread_barrier_init(&begin, NULL, jobs);
	pthread_barrier_init(&end, NULL, jobs);
	for (int n = 0; n < jobs; n++)
		if (pthread_create(&threads[n], NULL, reader, (void *)atol(argv[3 + n])))
			errx(1, "cannot make a thread");
	for (int n = 0; n < jobs; n++)
		pthread_join(threads[n], NULL);
	return 0;
}
