#define _GNU_SOURCE
#include "CFileWatching.h"
#include <pthread.h>

void fw_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
