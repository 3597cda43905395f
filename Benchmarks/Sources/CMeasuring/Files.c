#define _GNU_SOURCE
#include "CMeasuring.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int write_beside(const char *path, char *beside, const void *bytes, int64_t count, int syncs) {
    snprintf(beside, PATH_MAX, "%s.beside", path);
    int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    if (write(file, bytes, count) != count || (syncs && fsync(file) != 0)) {
        int error = errno;
        close(file);
        return error;
    }
    close(file);
    return 0;
}

int bench_replace_durably(const char *path, const void *bytes, int64_t count) {
    char beside[PATH_MAX];
    int error = write_beside(path, beside, bytes, count, 1);
    if (error) return error;
    if (rename(beside, path) != 0) return errno;
    char *slash = strrchr(beside, '/');
    if (slash) *slash = 0;
    int folder = open(beside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return errno;
    error = fsync(folder) ? errno : 0;
    close(folder);
    return error;
}

int bench_replace(const char *path, const void *bytes, int64_t count) {
    return bench_replace_timed(path, bytes, count) == 0 ? errno : 0;
}

int64_t bench_replace_timed(const char *path, const void *bytes, int64_t count) {
    char beside[PATH_MAX];
    if (write_beside(path, beside, bytes, count, 0)) return 0;
    int64_t start = bench_time();
    return rename(beside, path) == 0 ? start : 0;
}

double bench_run(const char *path, const char *argument) {
    char *arguments[] = {(char *)path, (char *)argument, NULL};
    pid_t child;
    int status;
    int64_t start = bench_time();
    if (posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0) return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    double elapsed = (double)(bench_time() - start) / 1e6;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? elapsed : -1;
}
