#if Etcd
    import CCurl
    import PrefsSystem

    /// The connections of one thread to etcd's servers, through libcurl.
    ///
    /// This class is not `Sendable`: one thread uses it at a time. While libcurl runs, the only code of this
    /// library that it calls is the code that copies received bytes.
    @safe final class HTTPTransport {
        private let multi: UnsafeMutableRawPointer
        private let tls: EtcdPrefsStorage.TLS
        private var transfers: [UInt: HTTPTransfer] = [:]

        /// Initializes libcurl once in the process. False if that failed. It is never undone, because other code
        /// may use libcurl, too.
        static let isReady: Bool = {
            guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
            // The handlers of libcurl's libraries are already registered, so they run after this handler.
            atexit { ClientThread.endAll() }
            return true
        }()

        private let waker: Waker?

        /// - Parameter waker: Ends the waits of this transport as long as the transport exists.
        init?(tls: EtcdPrefsStorage.TLS, waker: Waker? = nil) {
            guard Self.isReady, let multi = unsafe curl_multi_init() else { return nil }
            unsafe self.multi = unsafe multi
            self.tls = tls
            self.waker = waker
            unsafe waker?.set(self.multi)
        }

        deinit {
            unsafe waker?.set(nil)
            for transfer in transfers.values { close(transfer) }
            _ = unsafe curl_multi_cleanup(multi)
        }

        /// Starts a transfer. ``poll(for:)`` then advances it.
        func start(_ request: HTTPRequest) throws(EtcdFailure) -> HTTPTransfer {
            let transfer = try HTTPTransfer(request, tls: tls)
            guard unsafe curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
                throw EtcdFailure(.unavailable, "libcurl cannot start a transfer")
            }
            transfers[transfer.id] = transfer
            return transfer
        }

        /// Ends a transfer. If it has not finished, its connection is closed.
        func close(_ transfer: HTTPTransfer) {
            guard transfers.removeValue(forKey: transfer.id) != nil else { return }
            _ = unsafe curl_multi_remove_handle(multi, transfer.handle)
        }

        /// Waits until a transfer advances, somebody uses the waker, or the time has passed.
        func poll(for duration: Duration) {
            // This call returns immediately if a transfer has not begun yet.
            _ = unsafe curl_multi_poll(
                multi, nil, 0, CInt(clamping: max(0, duration.milliseconds)), nil)
            perform()
        }

        private func perform() {
            var running: CInt = 0
            _ = unsafe curl_multi_perform(multi, &running)
            var waiting: CInt = 0
            while let message = unsafe curl_multi_info_read(multi, &waiting) {
                guard unsafe message.pointee.msg == CURLMSG_DONE,
                    let handle = unsafe message.pointee.easy_handle
                else { continue }
                let result = unsafe prefs_curl_result(message)
                transfers[UInt(bitPattern: handle)]?.result = result
            }
        }
    }

    /// Ends the wait of a polling thread. Any thread may call it, even after the transport is gone.
    final class Waker: Sendable {
        /// The address of the multi handle while it exists.
        private let multi = Lock<UInt?>(nil)

        fileprivate func set(_ handle: UnsafeMutableRawPointer?) {
            let address = unsafe handle.map { UInt(bitPattern: $0) }
            multi.withLock { $0 = address }
        }

        func wake() {
            // This is the only function of a multi handle that libcurl allows other threads to call.
            multi.withLock { multi in
                guard let multi else { return }
                _ = unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
            }
        }
    }

    struct HTTPRequest {
        var url: String
        var body: String
        var headers: [String]
        /// The time limit for the whole transfer; `nil` for a stream.
        var timeout: Duration?
        var connectTimeout: Duration
        /// The maximum number of received bytes that wait to be read.
        var limit: Int
    }
#endif
