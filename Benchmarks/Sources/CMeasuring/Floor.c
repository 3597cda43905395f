#define _GNU_SOURCE
#include "CMeasuring.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static int queue = -1;
static int watch = -1;
static char wanted_name[NAME_MAX + 1];
static char wanted_path[PATH_MAX];
static char wanted_key[128];
static size_t wanted_length;
static _Atomic int64_t seen_number;
static _Atomic int64_t seen_time;

/// Scans every element of a property list, as a parser must, and returns the wanted integer.
static int64_t scan(const char *bytes, const char *end) {
    int64_t found = -1;
    int is_next = 0;
    for (const char *at = bytes; (at = memchr(at, '<', end - at)) != NULL;) {
        const char *close = memchr(at, '>', end - at);
        if (close == NULL) break;
        const char *text = close + 1;
        if (memcmp(at, "<key>", 5) == 0) {
            const char *stop = memchr(text, '<', end - text);
            if (stop == NULL) break;
            is_next = (size_t)(stop - text) == wanted_length && memcmp(text, wanted_key, wanted_length) == 0;
            at = stop;
        } else {
            if (is_next && memcmp(at, "<integer>", 9) == 0) found = strtoll(text, NULL, 10);
            if (at[1] != '/') is_next = 0;
            at = text;
        }
    }
    return found;
}

static int64_t read_number(void) {
    static char bytes[1 << 20];
    int file = open(wanted_path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = 0, part;
    while ((part = read(file, bytes + count, sizeof bytes - 1 - count)) > 0) count += part;
    close(file);
    bytes[count] = 0;
    return scan(bytes, bytes + count);
}

static void take(const struct inotify_event *event) {
    if (event->len == 0 || strcmp(event->name, wanted_name) != 0) return;
    int64_t number = read_number();
    bench_region_end("edit");
    atomic_store(&seen_time, bench_time());
    atomic_store(&seen_number, number);
}

static void *run(void *unused) {
    _Alignas(struct inotify_event) char buffer[4096];
    ssize_t count;
    while ((count = read(queue, buffer, sizeof buffer)) > 0) {
        bench_woken();
        for (char *at = buffer; at < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            take(event);
            at += sizeof *event + event->len;
        }
    }
    return unused;
}

int bench_floor_start(void) {
    pthread_t thread;
    if (queue >= 0) return 0;
    queue = inotify_init1(IN_CLOEXEC);
    if (queue < 0) return -1;
    return pthread_create(&thread, NULL, run, NULL);
}

void bench_floor_arm(const char *folder, const char *name, const char *key) {
    snprintf(wanted_name, sizeof wanted_name, "%s", name);
    snprintf(wanted_path, sizeof wanted_path, "%s/%s", folder, name);
    snprintf(wanted_key, sizeof wanted_key, "%s", key);
    wanted_length = strlen(wanted_key);
    watch = inotify_add_watch(queue, folder, IN_MOVED_TO);
}

void bench_floor_disarm(void) { inotify_rm_watch(queue, watch); }

int64_t bench_floor_seen(int64_t number) {
    return atomic_load(&seen_number) == number ? atomic_load(&seen_time) : 0;
}
