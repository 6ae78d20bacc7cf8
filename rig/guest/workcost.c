// SPDX-License-Identifier: GPL-2.0
/*
 * workcost DISK JOBS DEPTH WAIT BYTES COUNT: what the CPU executes for a read
 * when JOBS threads have DEPTH reads of BYTES each outstanding, and wait for WAIT of
 * them before they submit as many again, until each thread has done COUNT: all of
 * it, whoever does it, interrupts and threads included. Prints "instructions TOTAL
 * requests NUMBER".
 *
 * It counts one CPU, so the machine should have one. The counter stands still
 * while the CPU is idle.
 */

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALIGN	4096
#define SPAN	(64 << 20)
#define WARM_UP	64
#define MAX	64
#define HUGE_PAGE	(2 << 20)

static const char *disk;
static int depth, least, counter;
static long bytes, count;
static uint64_t begun, ended;
static pthread_barrier_t barrier;

static uint64_t now(void)
{
	uint64_t n;

	if (read(counter, &n, sizeof(n)) != sizeof(n))
		err(1, "reading the instruction counter");
	return n;
}

struct job {
	int fd;
	unsigned int seed;
	aio_context_t ctx;
	struct iocb iocb[MAX];
	void *block[MAX];
};

static void submit(struct job *job, int n)
{
	struct iocb *one = &job->iocb[n];

	*one = (struct iocb) {
		.aio_data = n,
		.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = job->fd,
		.aio_buf = (uintptr_t)job->block[n],
		.aio_nbytes = bytes,
		.aio_offset = rand_r(&job->seed) % (SPAN / bytes) * (off_t)bytes,
	};
	if (syscall(SYS_io_submit, job->ctx, 1, &one) != 1)
		err(1, "io_submit");
}

/*
 * Memory for all requests that costs the same each time: one range in physical memory
 * for each. Needs huge pages (vm.nr_hugepages).
 */
static void *get_memory(int jobs)
{
	size_t size = ((size_t)jobs * depth * bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		err(1, "%zu bytes in huge pages", size);
	return memory;
}

/* A job of depth 1 is one that just reads, as most programs do. */
static void read_plainly(struct job *job, long reads)
{
	while (reads--) {
		off_t offset = rand_r(&job->seed) % (SPAN / bytes) * (off_t)bytes;

		if (pread(job->fd, job->block[0], bytes, offset) != bytes)
			err(1, "%s: read at %lld", disk, (long long)offset);
	}
}

static void read_some(struct job *job, long reads)
{
	struct io_event events[MAX];
	long submitted = 0, done = 0;

	if (depth == 1)
		return read_plainly(job, reads);
	for (int n = 0; n < depth && submitted < reads; n++, submitted++)
		submit(job, n);
	while (done < reads) {
		/* At the end fewer are outstanding. */
		int want = reads - done < least ? reads - done : least;
		int got = syscall(SYS_io_getevents, job->ctx, want, depth, events, NULL);

		if (got < 1)
			err(1, "io_getevents");
		done += got;
		for (int n = 0; n < got; n++) {
			if (events[n].res != bytes)
				errx(1, "%s: read gave %lld", disk, (long long)events[n].res);
			if (submitted < reads) {
				submit(job, events[n].data);
				submitted++;
			}
		}
	}
}

static void *run(void *arg)
{
	struct job *job = arg;

	read_some(job, WARM_UP);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		begun = now();
	pthread_barrier_wait(&barrier);
	read_some(job, count);
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		ended = now();
	return NULL;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};
	int jobs = argc == 7 ? atoi(argv[2]) : 0;
	pthread_t threads[MAX];
	void *memory;
	struct job *all = calloc(MAX, sizeof(*all));

	if (jobs < 1 || jobs > MAX)
		errx(2, "usage: workcost DISK JOBS DEPTH WAIT BYTES COUNT");
	disk = argv[1];
	depth = atoi(argv[3]);
	least = atoi(argv[4]);
	bytes = atol(argv[5]);
	count = atol(argv[6]);
	if (depth < 1 || depth > MAX || least < 1 || least > depth || bytes < ALIGN || bytes > SPAN || count < 1)
		errx(2, "a depth of %d, %ld bytes or %ld reads cannot be had", depth, bytes, count);
	counter = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (counter < 0)
		err(1, "instruction counter");
	memory = get_memory(jobs);
	pthread_barrier_init(&barrier, NULL, jobs);
	for (int n = 0; n < jobs; n++) {
		struct job *job = &all[n];

		job->fd = open(disk, O_RDONLY | O_DIRECT);
		job->seed = n + 1;
		if (job->fd < 0)
			err(1, "%s", disk);
		if (syscall(SYS_io_setup, MAX, &job->ctx))
			err(1, "io_setup");
		for (int i = 0; i < depth; i++)
			job->block[i] = memory + ((size_t)n * depth + i) * bytes;
		if (pthread_create(&threads[n], NULL, run, job))
			errx(1, "cannot make a thread");
	}
	for (int n = 0; n < jobs; n++)
		pthread_join(threads[n], NULL);
	printf("instructions %llu requests %ld\n", (unsigned long long)(ended - begun), count * jobs);
	return 0;
}
