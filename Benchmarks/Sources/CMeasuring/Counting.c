#define _GNU_SOURCE
#include "CMeasuring.h"
#include <malloc.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t bench_thread_time(void) { return now(CLOCK_THREAD_CPUTIME_ID); }
int64_t bench_process_time(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }
int64_t bench_time(void) { return now(CLOCK_MONOTONIC); }

static volatile int64_t kept;
void bench_keep(int64_t value) { kept = value; }
static const void *volatile kept_bytes;
void bench_keep_bytes(const void *value) { kept_bytes = value; }

// Named in Scripts/check guard. Each has its own side effect, so that the two are not merged into one function.
static const char *volatile region;
void bench_region_begin(const char *name) { region = name; }
void bench_region_end(const char *name) { region = name + 1; }

void bench_print_markers(void) {
    printf("markers %08lx %08lx\n", (unsigned long)bench_woken, (unsigned long)bench_region_end);
    fflush(stdout);
}

// glibc lets a program replace its allocation functions.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// One counter per thread: an atomic one would slow down allocation, which is what is measured.
static __thread int64_t count __attribute__((tls_model("initial-exec")));

int64_t bench_allocations(void) { return count; }

static __thread int64_t count_when_woken __attribute__((tls_model("initial-exec")));

// Named in Scripts/check guard, so it must not be inlined.
__attribute__((noinline)) void bench_woken(void) { count_when_woken = count; }
int64_t bench_allocations_since_woken(void) { return count - count_when_woken; }

int poll(struct pollfd *entries, nfds_t count, int timeout) {
    int64_t seconds = timeout / 1000, nanoseconds = timeout % 1000 * 1000000;
    struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};
    int result = ppoll(entries, count, timeout < 0 ? NULL : &time, NULL);
    bench_woken();
    return result;
}

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count++;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : 12;
}

/// Returns the bytes of a line of a file of proc(5), which has them in kibibytes; 0 if it has no such line.
static int64_t bytes(const char *path, const char *format) {
    long long kibibytes = 0;
    char line[128];
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, format, &kibibytes) == 1) break;
    fclose(file);
    return kibibytes * 1024;
}

int64_t bench_anonymous_bytes(void) {
    malloc_trim(0);
    return bytes("/proc/self/smaps_rollup", "Anonymous: %lld");
}

int64_t bench_peak(void) { return bytes("/proc/self/status", "VmHWM: %lld"); }

int64_t bench_reset_peak(void) {
    malloc_trim(0);
    // proc(5): 5 resets the peak of the resident set to its present size.
    FILE *references = fopen("/proc/self/clear_refs", "we");
    if (references) {
        fputs("5", references);
        fclose(references);
    }
    return bench_peak();
}

int64_t bench_thread_id(void) { return gettid(); }

int64_t bench_preemptions(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}
