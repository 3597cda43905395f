#pragma once
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// The name is a flexible array member, which Swift does not import.
static inline const char *_Nonnull ps_event_name(const struct inotify_event *_Nonnull event) {
    return event->name;
}

// pthread_setname_np is a GNU extension, which Glibc's module leaves out. At most 15 bytes.
void ps_name_thread(const char *_Nonnull name);
#endif
