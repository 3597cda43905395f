#if Etcd
    import CCurl
    import PrefsSystem

    /// A request and the received part of its answer.
    @safe final class HTTPTransfer {
        let handle: UnsafeMutableRawPointer
        private let headers: UnsafeMutablePointer<curl_slist>?
        private let message: UnsafeMutablePointer<CChar>
        private var received: [UInt8] = []
        private let limit: Int
        private var isTooLarge = false
        /// The outcome; `nil` until the transfer has finished.
        var result: CURLcode?

        private static let messageSize = 256  // CURL_ERROR_SIZE

        init(_ request: HTTPRequest, tls: EtcdPrefsStorage.TLS) throws(EtcdFailure) {
            guard let handle = unsafe curl_easy_init() else {
                throw EtcdFailure(.unavailable, "libcurl has no memory")
            }
            unsafe self.handle = unsafe handle
            limit = request.limit
            unsafe message = .allocate(capacity: Self.messageSize)
            unsafe message.initialize(repeating: 0, count: Self.messageSize)
            var list: UnsafeMutablePointer<curl_slist>?
            // "Expect:" with an empty value removes that header: etcd does not wait before it reads a body.
            for header in ["Content-Type: application/json", "Expect:"] + request.headers {
                unsafe list = unsafe curl_slist_append(list, header) ?? list
            }
            unsafe headers = unsafe list
            try configure(request, tls)
        }

        deinit {
            unsafe curl_easy_cleanup(handle)
            unsafe curl_slist_free_all(headers)
            unsafe message.deallocate()
        }

        private func configure(_ request: HTTPRequest, _ tls: EtcdPrefsStorage.TLS) throws(EtcdFailure) {
            try set(CURLOPT_URL, request.url)
            try set(CURLOPT_PROTOCOLS_STR, "http,https")
            // No proxy: the configuration must not travel through a host that a user's environment names.
            try set(CURLOPT_PROXY, "")
            try set(CURLOPT_FOLLOWLOCATION, 0)
            // Each stream gets a connection of its own, as with plain HTTP.
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            // Time limits of name look-ups must not use signals. Signals belong to the process.
            try set(CURLOPT_NOSIGNAL, 1)
            unsafe prefs_curl_set_quick_exit(handle)
            try set(
                CURLOPT_CONNECTTIMEOUT_MS, Int(CInt(clamping: max(1, request.connectTimeout.milliseconds))))
            if let timeout = request.timeout {
                try set(CURLOPT_TIMEOUT_MS, Int(CInt(clamping: max(1, timeout.milliseconds))))
            }
            try check(unsafe prefs_curl_set_half_open_timeout(handle, Self.halfOpenTimeout))
            try check(unsafe prefs_curl_set_list(handle, CURLOPT_HTTPHEADER, headers))
            try set(CURLOPT_POST, 1)
            try check(unsafe prefs_curl_set_body(handle, request.body, request.body.utf8.count))
            try check(unsafe prefs_curl_set_text(handle, CURLOPT_ERRORBUFFER, message))
            try check(
                unsafe prefs_curl_set_receiver(
                    handle, Self.receive, Unmanaged.passUnretained(self).toOpaque()))
            try configure(tls)
        }

        /// The number of seconds until a connection to a machine that has disappeared is closed.
        private static let halfOpenTimeout = 15

        private func configure(_ tls: EtcdPrefsStorage.TLS) throws(EtcdFailure) {
            try set(CURLOPT_SSL_VERIFYPEER, 1)
            try set(CURLOPT_SSL_VERIFYHOST, 2)
            try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            if let roots = tls.roots { try set(CURLOPT_CAINFO, roots) }
            if let certificate = tls.certificate { try set(CURLOPT_SSLCERT, certificate) }
            if let key = tls.key { try set(CURLOPT_SSLKEY, key) }
            // For an encrypted key, OpenSSL would ask for the passphrase on the terminal.
            try set(CURLOPT_KEYPASSWD, "")
        }

        /// An identifier that is unique while the transfer exists.
        var id: UInt { unsafe UInt(bitPattern: handle) }

        private func set(_ option: CURLoption, _ value: Int) throws(EtcdFailure) {
            try check(unsafe prefs_curl_set_long(handle, option, value))
        }

        private func set(_ option: CURLoption, _ text: String) throws(EtcdFailure) {
            try check(unsafe prefs_curl_set_text(handle, option, text))
        }

        private func check(_ status: CURLcode) throws(EtcdFailure) {
            guard status != CURLE_OK else { return }
            throw EtcdFailure(.protocolViolation, unsafe String(cString: curl_easy_strerror(status)))
        }

        // libcurl calls this on the polling thread, which retains the transfer.
        private static let receive: prefs_curl_receiver = { bytes, size, count, context in
            guard let context = unsafe context else { return 0 }
            let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            let length = size * count
            guard transfer.received.count + length <= transfer.limit else {
                transfer.isTooLarge = true
                return 0
            }
            unsafe transfer.received.append(
                contentsOf: UnsafeRawBufferPointer(start: bytes, count: length))
            return length
        }

        var isFinished: Bool { result != nil }

        /// The HTTP status; 0 until an answer begins.
        var status: Int { unsafe prefs_curl_response_status(handle) }

        /// Returns the bytes received since the last call.
        func takeReceived() -> [UInt8] {
            defer { received = [] }
            return received
        }

        /// The failures that happen before a request is sent.
        private static let unsent = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT,
        ]

        /// The reason why a finished transfer failed; `nil` if the answer is complete.
        var failure: EtcdFailure? {
            if isTooLarge { return EtcdFailure(.answerTooLarge, "an answer larger than \(limit) bytes") }
            guard let result, result != CURLE_OK else { return nil }
            let detail = unsafe String(cString: message)
            let text = detail.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : detail
            var failure = EtcdFailure(.unavailable, text)
            failure.wasSent = !Self.unsent.contains(result)
            return failure
        }
    }
#endif
