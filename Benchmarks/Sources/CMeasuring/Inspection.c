// A client of an inspection socket, which asks one question.
#include "CMeasuring.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int64_t bench_ask(const char *path, const char *line) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) { return -1; }
    strcpy(address.sun_path, path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) { return -1; }
    int64_t total = -1;
    size_t length = strlen(line);
    if (connect(socket_, (struct sockaddr *)&address, sizeof address) == 0 &&
        send(socket_, line, length, MSG_NOSIGNAL) == (ssize_t)length) {
        static _Thread_local char buffer[1 << 16];
        ssize_t count;
        total = 0;
        while ((count = read(socket_, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR)) {
            if (count < 0) { continue; }
            total += count;
            if (buffer[count - 1] == '\n') { break; }
        }
    }
    close(socket_);
    return total;
}
