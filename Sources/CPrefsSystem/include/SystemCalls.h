#pragma once
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

// O_PATH, which Glibc's module does not export: opens a file for its status only.
extern const int ps_open_for_status;

// Opens a path without links; the error is ELOOP if a component is a link. glibc has no openat2.
int ps_open_without_links(const char *_Nonnull path, int flags);

// Renames an entry of a folder; the error is EEXIST if the new name exists. Not every glibc has renameat2.
int ps_rename_to_free(int folder, const char *_Nonnull name, const char *_Nonnull target);

// Returns 1 if a file system, or another file, is mounted over an entry of a folder; 0 if not, or if unknown.
int ps_is_mounted_over(int folder, const char *_Nonnull name);

// Opens the file of another descriptor again, with close-on-exec set, through `/proc`; see proc_pid_fd(5).
int ps_reopen(int file, int flags);

// The environment, an array that ends with NULL; see environ(7). Swift rejects the variable itself, because any
// thread may change it.
char *_Nullable const *_Nullable ps_environment(void);

// Names the calling thread, with at most 15 bytes. pthread_setname_np is a GNU extension that Glibc's module
// does not export.
void ps_name_thread(const char *_Nonnull name);

// Accepts a connection with close-on-exec set. accept4 is a GNU extension that Glibc's module does not export.
int ps_accept(int listener);
