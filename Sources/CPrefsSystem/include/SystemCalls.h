#pragma once
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>


// Returns an event's name, a flexible array member, which Swift does not import.
static inline const char *_Nonnull ps_event_name(const struct inotify_event *_Nonnull event) {
    return event->name;
}

// Names the calling thread, with at most 15 bytes. pthread_setname_np is a GNU extension that Glibc's module
// does not export.
void ps_name_thread(const char *_Nonnull name);
#endif
