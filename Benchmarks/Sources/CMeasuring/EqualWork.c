#define _GNU_SOURCE
#include "CMeasuring.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// An element of a property list. Key and text lie in the file's bytes.
struct node {
    const char *key, *text;
    size_t key_length, text_length;
    char kind;
    struct node *child, *next;
};

struct bench_equal {
    char name[NAME_MAX + 1], path[PATH_MAX], key[128];
    int queue, folder_watch, file_watch, hops;
    /// The former version and its bytes.
    struct node *tree;
    char *bytes;
    _Atomic int hop;
    int64_t number;
    _Atomic int64_t seen_number, seen_time;
};

static void release(struct node *node) {
    while (node) {
        struct node *next = node->next;
        release(node->child);
        free(node);
        node = next;
    }
}

/// Parses the elements up to the end tag of their parent. Returns the first; `at` is moved behind the last.
static struct node *parse(const char **at, const char *end) {
    struct node *first = NULL, **link = &first;
    const char *key = NULL;
    size_t key_length = 0;
    while ((*at = memchr(*at, '<', end - *at)) != NULL) {
        const char *tag = *at + 1, *close = memchr(tag, '>', end - tag);
        if (close == NULL || *tag == '/') break;
        *at = close + 1;
        if (*tag == '?' || *tag == '!') continue;
        if (memcmp(tag, "key", 3) == 0) {
            const char *stop = memchr(*at, '<', end - *at);
            if (stop == NULL) break;
            key = *at;
            key_length = stop - *at;
            *at = stop + sizeof "</key>" - 1;
            continue;
        }
        struct node *node = calloc(1, sizeof *node);
        *node = (struct node){.key = key, .key_length = key_length, .kind = *tag};
        *link = node;
        link = &node->next;
        key = NULL;
        key_length = 0;
        if (close[-1] == '/') continue;
        if (memcmp(tag, "dict", 4) == 0 || memcmp(tag, "array", 5) == 0 || memcmp(tag, "plist", 5) == 0) {
            node->child = parse(at, end);
            if (*at == NULL) break;
        } else {
            node->text = *at;
            *at = memchr(*at, '<', end - *at);
            if (*at == NULL) break;
            node->text_length = *at - node->text;
        }
        *at = memchr(*at, '>', end - *at);
        if (*at == NULL) break;
        (*at)++;
    }
    return first;
}

static int is_same(const char *left, size_t left_length, const char *right, size_t right_length) {
    return left_length == right_length && memcmp(left, right, left_length) == 0;
}

/// Compares two versions and sets `number` to the new integer of the wanted key if it differs.
static void compare(struct bench_equal *self, const struct node *old, const struct node *new) {
    for (; new != NULL; new = new->next, old = old ? old->next : NULL) {
        if (old && !is_same(old->key, old->key_length, new->key, new->key_length)) old = NULL;
        if (new->child) {
            compare(self, old ? old->child : NULL, new->child);
        } else if (!old || old->kind != new->kind
                   || !is_same(old->text, old->text_length, new->text, new->text_length)) {
            if (is_same(new->key, new->key_length, self->key, strlen(self->key)))
                self->number = strtoll(new->text, NULL, 10);
        }
    }
}

static void note(struct bench_equal *self) {
    bench_region_end("edit");
    atomic_store(&self->seen_time, bench_time());
    atomic_store(&self->seen_number, self->number);
}

static void reload(struct bench_equal *self) {
    struct stat status;
    if (lstat(self->path, &status) != 0) return;
    self->file_watch = inotify_add_watch(
        self->queue, self->path, IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF);
    int file = open(self->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return;
    if (fstat(file, &status) != 0) status.st_size = 0;
    char *bytes = malloc(status.st_size + 1);
    ssize_t count = read(file, bytes, status.st_size + 1);
    close(file);
    if (count != status.st_size) return free(bytes);
    const char *at = bytes;
    struct node *tree = parse(&at, bytes + count);
    compare(self, self->tree, tree);
    release(self->tree);
    free(self->bytes);
    (self->tree = tree, self->bytes = bytes);
    if (!self->hops) return note(self);
    atomic_store(&self->hop, 1);
    syscall(SYS_futex, &self->hop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

_Noreturn static void *deliver(void *context) {
    struct bench_equal *self = context;
    while (1) {
        while (!atomic_exchange(&self->hop, 0))
            syscall(SYS_futex, &self->hop, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
        note(self);
    }
}

static void *run(void *context) {
    struct bench_equal *self = context;
    _Alignas(struct inotify_event) char buffer[8192];
    struct pollfd ready = {.fd = self->queue, .events = POLLIN};
    while (poll(&ready, 1, -1) > 0) {
        ssize_t count = read(self->queue, buffer, sizeof buffer);
        int is_replaced = 0;
        for (char *at = buffer; at < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            if (event->wd == self->folder_watch && event->mask & IN_MOVED_TO
                && strcmp(event->name, self->name) == 0)
                is_replaced = 1;
            at += sizeof *event + event->len;
        }
        if (is_replaced) reload(self);
    }
    return NULL;
}

struct bench_equal *bench_equal_start(const char *folder, const char *name, const char *key, int hops) {
    struct bench_equal *self = calloc(1, sizeof *self);
    pthread_t thread;
    snprintf(self->name, sizeof self->name, "%s", name);
    snprintf(self->path, sizeof self->path, "%s/%s", folder, name);
    snprintf(self->key, sizeof self->key, "%s", key);
    self->hops = hops;
    self->queue = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (self->queue < 0) return free(self), NULL;
    self->folder_watch = inotify_add_watch(
        self->queue, folder, IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF);
    reload(self);
    if (hops && pthread_create(&thread, NULL, deliver, self) != 0) return NULL;
    return pthread_create(&thread, NULL, run, self) == 0 ? self : NULL;
}

int64_t bench_equal_seen(struct bench_equal *self, int64_t number) {
    return atomic_load(&self->seen_number) == number ? atomic_load(&self->seen_time) : 0;
}
