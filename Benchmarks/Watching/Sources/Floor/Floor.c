#define _GNU_SOURCE
#include "Floor.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

static int queue = -1;
static int watch = -1;
static char wanted_name[NAME_MAX + 1];
static char wanted_path[PATH_MAX];
static _Atomic int64_t seen_number;
static _Atomic int64_t seen_time;

int64_t floor_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t floor_read(const char *path) {
    char bytes[64];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, bytes, sizeof bytes - 1);
    close(file);
    if (count <= 0) return -1;
    bytes[count] = 0;
    return atoll(bytes);
}

static void take(const struct inotify_event *event) {
    if (event->len == 0 || strcmp(event->name, wanted_name) != 0) return;
    int64_t number = floor_read(wanted_path);
    atomic_store(&seen_time, floor_now());
    atomic_store(&seen_number, number);
}

static void *run(void *unused) {
    _Alignas(struct inotify_event) char buffer[4096];
    ssize_t count;
    while ((count = read(queue, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            take(event);
            at += sizeof *event + event->len;
        }
    }
    return unused;
}

int floor_start(void) {
    pthread_t thread;
    queue = inotify_init1(IN_CLOEXEC);
    if (queue < 0) return -1;
    return pthread_create(&thread, NULL, run, NULL);
}

void floor_arm(const char *directory, const char *name) {
    snprintf(wanted_name, sizeof wanted_name, "%s", name);
    snprintf(wanted_path, sizeof wanted_path, "%s/%s", directory, name);
    watch = inotify_add_watch(queue, directory, IN_MOVED_TO);
}

void floor_disarm(void) { inotify_rm_watch(queue, watch); }

int64_t floor_seen(int64_t number) {
    return atomic_load(&seen_number) == number ? atomic_load(&seen_time) : 0;
}
