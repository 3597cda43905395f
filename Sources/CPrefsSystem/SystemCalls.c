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
