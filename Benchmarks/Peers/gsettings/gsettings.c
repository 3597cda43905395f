// GSettings over dconf as a peer of Bench: it answers each request, a line, with one line.
//
// "read N": nanoseconds for one of N reads. "set NUMBER": another process sets the key and syncs; the answer
// is the microseconds from before its call until this process's handler of "changed" has read the value.
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static GSettings *settings;
static int64_t wanted = -1, seen_time;

static void changed(GSettings *self, const char *key, void *unused) {
    (void)unused;
    if (g_settings_get_int64(self, key) == wanted) seen_time = now();
}

// Runs in the writer: reads numbers, sets them, and reports the time at which each write began.
static void write_settings(int input, int output) {
    GSettings *mine = g_settings_new("org.example.bench");
    int64_t number;
    while (read(input, &number, sizeof number) == sizeof number) {
        int64_t start = now();
        g_settings_set_int64(mine, "port", number);
        g_settings_sync();
        if (write(output, &start, sizeof start) != sizeof start) break;
    }
    _exit(0);
}

int main(void) {
    int to[2], from[2];
    if (pipe(to) || pipe(from)) return 1;
    // fork() before GLib starts any thread.
    pid_t writer = fork();
    if (writer == 0) {
        close(to[1]);
        write_settings(to[0], from[1]);
    }
    close(to[0]);
    settings = g_settings_new("org.example.bench");
    g_signal_connect(settings, "changed::port", G_CALLBACK(changed), NULL);
    volatile int64_t value = g_settings_get_int64(settings, "port");
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        long count;
        if (sscanf(line, "read %ld", &count) == 1) {
            int64_t start = now();
            for (long index = 0; index < count; index++) value = g_settings_get_int64(settings, "port");
            printf("%f\n", (double)(now() - start) / count);
        } else if (sscanf(line, "set %ld", &count) == 1) {
            wanted = count;
            seen_time = 0;
            if (write(to[1], &wanted, sizeof wanted) != sizeof wanted) break;
            int64_t deadline = now() + 2000000000LL, start = 0;
            while (seen_time == 0 && now() < deadline) {
                // Blocks until something arrives; with a timeout, the timeout would be measured.
                g_main_context_iteration(NULL, TRUE);
            }
            if (read(from[0], &start, sizeof start) != sizeof start) break;
            if (seen_time == 0) printf("skip no change arrived\n");
            else printf("%f\n", (double)(seen_time - start) / 1000);
        } else {
            printf("skip unknown request %s", line);
        }
        fflush(stdout);
    }
    (void)value;
    kill(writer, SIGTERM);
    waitpid(writer, NULL, 0);
    return 0;
}
