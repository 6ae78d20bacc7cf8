// SPDX-License-Identifier: GPL-2.0
/*
 * insns OUTPUT COMMAND...: what the CPU executes while the command runs, by whoever,
 * as "instructions NUMBER". It counts one CPU, so the machine should have one.
 */

#include <err.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};
	int counter, status;
	uint64_t count;
	FILE *out;

	if (argc < 3)
		errx(2, "usage: insns OUTPUT COMMAND...");
	counter = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (counter < 0)
		err(1, "instruction counter");
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (wait(&status) < 0 || read(counter, &count, sizeof(count)) != sizeof(count))
		err(1, "counting");
	out = fopen(argv[1], "w");
	if (!out || fprintf(out, "instructions %llu\n", (unsigned long long)count) < 0 || fclose(out))
		err(1, "%s", argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
