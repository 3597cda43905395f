#pragma once
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#else
#error "libcurl is missing: apt-get install libcurl4-openssl-dev"
#endif

// Swift does not import functions with variable arguments.

static inline CURLcode prefs_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode prefs_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nonnull value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode prefs_curl_set_list(CURL *_Nonnull handle, CURLoption option, struct curl_slist *_Nullable list) {
    return curl_easy_setopt(handle, option, list);
}

/// Copies the body of a POST.
static inline CURLcode prefs_curl_set_body(CURL *_Nonnull handle, const void *_Nonnull bytes, size_t count) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return status ? status : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*prefs_curl_receiver)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode prefs_curl_set_receiver(
    CURL *_Nonnull handle, prefs_curl_receiver _Nonnull receiver, void *_Nonnull context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receiver);
    return status ? status : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline int prefs_curl_prepare_socket(void *context, curl_socket_t descriptor, curlsocktype purpose) {
    (void)purpose;
    unsigned int milliseconds = (unsigned int)(size_t)context;
    // Not for the programs that this one starts, which would keep the connection open; libcurl does not say so itself.
    (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    // If the kernel refuses it, keep-alive probes and the client's own checks remain.
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
    return CURL_SOCKOPT_OK;
}

/// Ends a connection whose data the peer has not acknowledged for this time, and probes one that is idle.
static inline CURLcode prefs_curl_set_half_open_timeout(CURL *_Nonnull handle, long seconds) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_TCP_KEEPIDLE, seconds > 3 ? seconds / 3 : 1L);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_TCP_KEEPINTVL, seconds > 3 ? seconds / 3 : 1L);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, prefs_curl_prepare_socket);
    if (!status) status = curl_easy_setopt(handle, CURLOPT_SOCKOPTDATA, (void *)(size_t)(seconds * 1000));
    return status;
}

/// Has the end of a transfer not wait for a name look-up that hangs. libcurl before 7.87 has no such option.
static inline void prefs_curl_set_quick_exit(CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (void)curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
#endif
}

/// The status of the HTTP response; 0 if none has arrived.
static inline long prefs_curl_response_status(CURL *_Nonnull handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) ? 0 : status;
}

/// The result of a finished transfer that a message announces.
static inline CURLcode prefs_curl_result(const CURLMsg *_Nonnull message) { return message->data.result; }
