#define _GNU_SOURCE
#include "SystemCalls.h"
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

char *const *ps_environment(void) {
    return environ;
}

void ps_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int ps_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

// Swift's runtime reads the arguments of the process from /proc. In a root without /proc, as image builders and
// rescue systems have, a program would have no arguments and ignore its command line. glibc passes the arguments
// to each constructor, and the constructor below hands them to the runtime. The runtime's function is weak because
// the runtime does not document it, and another version may lack it.
#ifdef __GLIBC__
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **, int) __attribute__((weak));

__attribute__((constructor)) static void hand_over_arguments(int count, char **arguments) {
    if (!_swift_stdlib_overrideUnsafeArgvArgc || count < 1) return;
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}
#endif
