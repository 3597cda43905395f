#pragma once
#include <stdint.h>

/// Nanoseconds of CPU time of the calling thread; excludes other threads and processes.
int64_t bench_thread_time(void);
/// Nanoseconds of CPU time of all threads of the process.
int64_t bench_process_time(void);
/// Nanoseconds of CLOCK_MONOTONIC.
int64_t bench_time(void);
/// The number of calls by the calling thread of malloc, calloc, realloc and the aligned variants.
int64_t bench_allocations(void);
/// Called by a thread that returns from poll(2), or from the read(2) in which it waits.
void bench_woken(void);
/// The number of calls since the calling thread returned from poll(2) last.
int64_t bench_allocations_since_woken(void);
/// Anonymous memory in use, once malloc has returned what it does not need to the kernel; space that was
/// allocated but never touched takes none.
int64_t bench_anonymous_bytes(void);
/// Returns unused memory to the kernel, makes the resident memory the new peak, and returns it in bytes.
int64_t bench_reset_peak(void);
/// The most resident memory since the last reset, in bytes.
int64_t bench_peak(void);

/// Consumes a result. It is in another object file, so the optimizer can neither drop the computation nor
/// assume that a second read gives the same result.
void bench_keep(int64_t value);
/// Consumes a reference to an object, for the same purpose.
void bench_keep_bytes(const void *_Nullable value);

/// The ends of a region that callgrind counts: Scripts/check guard has it zero and dump its counters here.
void bench_region_begin(const char *_Nonnull name);
void bench_region_end(const char *_Nonnull name);
/// Prints the addresses of ``bench_woken`` and ``bench_region_end``.
void bench_print_markers(void);

// The least that a program can do to follow a file: one thread, one inotify watch on the folder, a blocking
// read; then it reads the file, scans its bytes and extracts one integer.

/// Starts the thread; returns 0 if it runs.
int bench_floor_start(void);
/// Watches `folder` for files renamed to `name`, whose integer `key` it reads.
void bench_floor_arm(const char *_Nonnull folder, const char *_Nonnull name, const char *_Nonnull key);
void bench_floor_disarm(void);
/// Returns the time at which `number` was read, in nanoseconds of CLOCK_MONOTONIC; 0 if it has not been read.
int64_t bench_floor_seen(int64_t number);

/// A C program that does the same work as the library for an edit: it polls, reads the notices, checks the file
/// and watches it again, reads it, parses all of it to a tree and compares that with the former one. With `hops`
/// it then hands the result to a second thread. Returns NULL on failure; lives as long as the process.
struct bench_equal *_Nullable bench_equal_start(
    const char *_Nonnull folder, const char *_Nonnull name, const char *_Nonnull key, int hops);
/// Returns the time at which `number` was found, in nanoseconds of CLOCK_MONOTONIC; 0 if it has not been found.
int64_t bench_equal_seen(struct bench_equal *_Nonnull follower, int64_t number);

/// Replaces a file durably at the minimum cost: writes a temporary file, syncs it, renames it, and syncs the
/// folder. Returns 0 or errno.
int bench_replace_durably(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Writes a temporary file and renames it. Returns 0 or errno.
int bench_replace(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Writes a temporary file and renames it. Returns the time right before the rename; 0 on failure.
int64_t bench_replace_timed(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Runs a program. Returns the milliseconds until it prints something or, with `until_end`, until it has
/// ended; negative on failure.
double bench_run(const char *_Nonnull path, int until_end);
/// Sends a line to a Unix-domain socket and reads one line. Returns the number of bytes read; negative on failure.
int64_t bench_ask(const char *_Nonnull path, const char *_Nonnull line);
/// The kernel's ID of the calling thread.
int64_t bench_thread_id(void);
/// The number of times that the kernel preempted the calling thread.
int64_t bench_preemptions(void);
