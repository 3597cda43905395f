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

double bench_run(const char *path, int until_end) {
    char *arguments[] = {(char *)path, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    pid_t child;
    int64_t start = bench_time();
    int error = posix_spawn(&child, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char byte;
    int64_t end = error == 0 && read(ends[0], &byte, 1) == 1 ? bench_time() : 0;
    close(ends[0]);
    if (error) return -1;
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (until_end) end = bench_time();
    return end && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? (double)(end - start) / 1e6 : -1;
}
