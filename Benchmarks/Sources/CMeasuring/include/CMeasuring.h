#pragma once
#include <stdint.h>

/// Nanoseconds of processor time of the calling thread: does not count what other threads and processes take.
int64_t bench_thread_time(void);
/// Nanoseconds of processor time of all threads.
int64_t bench_process_time(void);
/// Nanoseconds of CLOCK_MONOTONIC.
int64_t bench_time(void);
/// How often the calling thread has called malloc, calloc, realloc and their aligned kin.
int64_t bench_allocations(void);
/// Bytes in use on the heap, as malloc counts them.
int64_t bench_heap_bytes(void);

/// Takes a result. It lies in another object file, so the optimizer can neither drop what was computed nor
/// assume that a second reading gives the same.
void bench_keep(int64_t value);
/// Borrows an object, likewise.
void bench_keep_bytes(const void *_Nullable value);

/// The ends of what callgrind counts: Scripts/guard has it zero and dump its counters here.
void bench_region_begin(const char *_Nonnull name);
void bench_region_end(const char *_Nonnull name);

// The least a program can do to follow a file: one thread, one inotify watch on the folder, a blocking read,
// then the file's bytes read, scanned and one integer taken out.

/// Starts the thread; 0 if it runs.
int bench_floor_start(void);
/// Watches `folder` for files renamed to `name`, whose integer `key` it reads.
void bench_floor_arm(const char *_Nonnull folder, const char *_Nonnull name, const char *_Nonnull key);
void bench_floor_disarm(void);
/// When `number` had been read, by CLOCK_MONOTONIC in nanoseconds; 0 if it has not been.
int64_t bench_floor_seen(int64_t number);

/// Writes beside, syncs, renames, syncs the folder: what a durable replacement costs at least. 0 or errno.
int bench_replace_durably(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Writes beside and renames. 0 or errno.
int bench_replace(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Writes beside, then takes the time right before the rename; 0 on failure.
int64_t bench_replace_timed(const char *_Nonnull path, const void *_Nonnull bytes, int64_t count);
/// Milliseconds from the start of a program until it prints something, or has ended; negative on failure.
double bench_run(const char *_Nonnull path, int until_end);
/// The kernel's number of the calling thread.
int64_t bench_thread_id(void);
/// How often the kernel took the processor away from the calling thread.
int64_t bench_preemptions(void);
