#define _GNU_SOURCE
#include "SystemCalls.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

const int ps_open_for_status = O_PATH;

// As in linux/openat2.h, which older kernel headers lack.
struct open_how {
    unsigned long long flags, mode, resolve;
};
enum { RESOLVE_NO_SYMLINKS = 4, SYS_OPENAT2 = 437 };

int ps_open_without_links(const char *path, int flags) {
    struct open_how how = {.flags = (unsigned long long)(unsigned)flags, .resolve = RESOLVE_NO_SYMLINKS};
    long result;
    do {
        result = syscall(SYS_OPENAT2, AT_FDCWD, path, &how, sizeof how);
    } while (result < 0 && errno == EINTR);
    return (int)result;
}

int ps_reopen(int file, int flags) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int result;
    do {
        result = open(path, flags | O_CLOEXEC);
    } while (result < 0 && errno == EINTR);
    return result;
}
#endif
