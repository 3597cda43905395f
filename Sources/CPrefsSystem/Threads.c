#define _GNU_SOURCE
#include "SystemCalls.h"
#include <pthread.h>

#ifdef __linux__
void ps_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
#endif
