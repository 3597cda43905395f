#define _GNU_SOURCE
#include "SystemCalls.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
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

int ps_rename_to_free(int folder, const char *name, const char *target) {
    return (int)syscall(SYS_renameat2, folder, name, folder, target, 1u /* RENAME_NOREPLACE */);
}

// The beginning of struct statx, as in linux/stat.h, which some C libraries lack.
struct status_head {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t rest[240];
};
enum { ATTRIBUTE_MOUNT_ROOT = 0x2000 };

int ps_is_mounted_over(int folder, const char *name) {
    // The structure has 256 bytes; the buffer is larger.
    struct status_head status;
    memset(&status, 0, sizeof status);
    if (syscall(SYS_statx, folder, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, 0u, &status) != 0) return 0;
    return (status.attributes & ATTRIBUTE_MOUNT_ROOT) != 0;
}

// Writes a number in decimal. snprintf would be the largest part of the C library that an edit executes.
static void write_decimal(char *text, int number) {
    int length = 1;
    for (int rest = number / 10; rest > 0; rest /= 10) length++;
    text[length] = '\0';
    for (; length > 0; number /= 10) text[--length] = (char)('0' + number % 10);
}

int ps_reopen(int file, int flags) {
    static const char folder[] = "/proc/self/fd/";
    char path[sizeof folder + 10];
    memcpy(path, folder, sizeof folder);
    write_decimal(path + sizeof folder - 1, file);
    int result;
    do {
        result = open(path, flags | O_CLOEXEC);
    } while (result < 0 && errno == EINTR);
    return result;
}
