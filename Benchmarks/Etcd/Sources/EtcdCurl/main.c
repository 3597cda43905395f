// The floor of `Benchmarks/Etcd/run`: follows a key of etcd's JSON gateway with nothing but libcurl.
//
//   EtcdCurl URL KEY    KEY in base64; prints the value and the time of each event, as EtcdPrefs does

#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char line[1 << 16];
static size_t length;

/// Returns the value of one character of base64, or -1 for padding.
static int sextet(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = c ? strchr(digits, c) : NULL;
    return place ? (int)(place - digits) : -1;
}

/// Prints the decoded value of an event, which is one line of the response.
static void observe(const char *event) {
    const char *value = strstr(event, "\"value\":\"");
    if (!value) {
        if (strstr(event, "\"created\":true")) { puts("ready"); fflush(stdout); }
        return;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned bits = 0;
    int count = 0;
    for (value += 9; sextet(*value) >= 0; value++) {
        bits = bits << 6 | (unsigned)sextet(*value);
        if ((count += 6) >= 8) putchar(bits >> (count -= 8) & 0xFF);
    }
    printf(" %lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
    fflush(stdout);
}

static size_t receive(char *data, size_t size, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < size * count; i++) {
        if (data[i] != '\n') {
            if (length + 1 < sizeof line) line[length++] = data[i];
            continue;
        }
        line[length] = 0;
        length = 0;
        observe(line);
    }
    return size * count;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    char url[256], body[1024];
    snprintf(url, sizeof url, "%s/v3/watch", arguments[1]);
    snprintf(body, sizeof body, "{\"create_request\":{\"key\":\"%s\"}}", arguments[2]);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    CURLcode code = curl_easy_perform(curl);
    fprintf(stderr, "%s\n", curl_easy_strerror(code));
    return 1;
}
