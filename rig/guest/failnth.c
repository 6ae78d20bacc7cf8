// SPDX-License-Identifier: GPL-2.0
/*
 * failnth N write FILE TEXT
 * failnth N read FILE
 * failnth N insmod FILE [PARAMETERS]
 *
 * Has the N-th allocation fail that the kernel makes in this task while it does
 * that: the write alone, opening and reading to the end, loading the module alone.
 * For a kernel with fault injection; which allocations count is set in its debugfs.
 *
 * Prints "ok" or the error's name, and how many allocations there would have to be
 * more for one to fail: 0 if one did. Ends with 0 in any of these cases.
 */

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail_nth;
static const char *nth;

/* Both are system calls on a file that is open, which allocate nothing. */
static void begin(void)
{
	if (write(fail_nth, nth, strlen(nth)) < 0)
		err(1, "setting fail-nth");
}

/* How far away the N-th one still is. */
static long end(void)
{
	char left[16] = "";

	if (pread(fail_nth, left, sizeof(left) - 1, 0) < 0)
		err(1, "reading fail-nth");
	if (pwrite(fail_nth, "0", 1, 0) < 0)
		err(1, "resetting fail-nth");
	return atol(left);
}

static int do_write(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? errno : 0;
}

static int do_read(const char *path)
{
	static char buffer[65536];
	int fd = open(path, O_RDONLY), error = 0;
	ssize_t got;

	if (fd < 0)
		return errno;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		;
	if (got < 0)
		error = errno;
	close(fd);
	return error;
}

static int do_insmod(int fd, const char *parameters)
{
	return syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 3 ? argv[2] : "", *text = argc > 4 ? argv[4] : "";
	int error, fd = -1;
	long left;

	if (!strcmp(what, "write"))
		fd = open(argv[3], O_WRONLY);
	else if (!strcmp(what, "insmod"))
		fd = open(argv[3], O_RDONLY);
	else if (strcmp(what, "read"))
		errx(1, "usage: failnth N write|read|insmod FILE [TEXT]");
	if (fd < 0 && strcmp(what, "read"))
		err(1, "%s", argv[3]);

	nth = argv[1];
	fail_nth = open("/proc/self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		err(1, "/proc/self/fail-nth");

	begin();
	if (*what == 'w')
		error = do_write(fd, text);
	else if (*what == 'r')
		error = do_read(argv[3]);
	else
		error = do_insmod(fd, text);
	left = end();

	printf("%s %ld\n", error ? strerrorname_np(error) : "ok", left);
	return 0;
}
