#pragma once
#include <stdint.h>

// The least a program can do: one thread, one inotify watch on a directory, a blocking read, and then the
// file's bytes read. What it takes is what everything else is compared with.

/// Starts the thread; 0 if it runs.
int floor_start(void);
/// Watches `directory` for files renamed to `name` within it.
void floor_arm(const char *_Nonnull directory, const char *_Nonnull name);
void floor_disarm(void);
/// When the content `number` had been read, by CLOCK_MONOTONIC in nanoseconds; 0 if it has not been.
int64_t floor_seen(int64_t number);

/// CLOCK_MONOTONIC in nanoseconds.
int64_t floor_now(void);
/// The number a file contains; -1 if it cannot be read. The same for all contestants.
int64_t floor_read(const char *_Nonnull path);
