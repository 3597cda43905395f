// libplist as a peer of Bench: it answers each request, a line, with one line.
//
// "parse PATH": milliseconds of CPU time to parse a property list, XML or binary.
#include <plist/plist.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static char *contents(const char *path, uint32_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (uint32_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) *size = 0;
    fclose(file);
    return bytes;
}

int main(void) {
    char line[4096], path[4096];
    while (fgets(line, sizeof line, stdin)) {
        uint32_t size;
        char *bytes;
        if (sscanf(line, "parse %4095s", path) != 1 || !(bytes = contents(path, &size))) {
            printf("skip unknown request or unreadable file: %s", line);
        } else {
            plist_t node = NULL;
            double start = now();
            if (memcmp(bytes, "bplist", 6) == 0) plist_from_bin(bytes, size, &node);
            else plist_from_xml(bytes, size, &node);
            double time = now() - start;
            printf(node ? "%f\n" : "skip cannot parse\n", time);
            plist_free(node);
            free(bytes);
        }
        fflush(stdout);
    }
    return 0;
}
