#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Stores values on the server, on the thread that calls it.
    ///
    /// A transaction takes effect only if the keys it changes still have the revisions that it was made for. So
    /// if its outcome is unknown, the contents are listed again, and it is repeated only if they lack the values.
    struct EtcdWriter: ~Copyable {
        /// Returns what has to change in some contents; nothing if they are as they should be.
        typealias Plan = ([[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change]

        private let settings: EtcdSettings
        private let contents: EtcdContents
        private let connection: EtcdConnection
        private let deadline: ContinuousClock.Instant
        private var endpoints: Endpoints
        /// True if a transaction was sent and its outcome is not known.
        private var mayHaveWritten = false

        /// etcd's limit on the operations of a transaction.
        private static let mostChanges = 128
        private static let mostConflicts = 16

        init(settings: EtcdSettings, contents: EtcdContents, connection: EtcdConnection) {
            (self.settings, self.contents, self.connection) = (settings, contents, connection)
            deadline = .now.advanced(by: settings.timing.write)
            let endpoint = contents.state.withLock { $0.endpoint }
            endpoints = Endpoints(
                settings.endpoints, startingAt: settings.endpoints.firstIndex(of: endpoint) ?? 0,
                longestPause: .seconds(1))
        }

        /// Returns when the values can be read.
        ///
        /// - Throws: ``PrefsError``. Its reason says whether the values may have been stored nevertheless.
        mutating func write(_ plan: Plan) throws(PrefsError) {
            // While the client is not connected, its contents may be old.
            var items = contents.state.withLock { $0.failure == nil ? $0.mirror.items : nil }
            var listed: EtcdHeader?
            var conflicts = 0
            while true {
                guard let present = items else {
                    guard
                        let list = try unlessFailed(
                            isWrite: false,
                            { connection, endpoint, settings throws(EtcdFailure) in
                                try connection.list(settings.ranges, at: endpoint)
                            })
                    else { continue }
                    let mirror = EtcdMirror(items: list.items, header: list.header)
                    (items, listed) = (mirror.items, list.header)
                    continue
                }
                let changes = try plan(present)
                if changes.isEmpty {
                    guard let listed else { return }
                    return try finish(plan, present, listed)
                }
                guard changes.count <= Self.mostChanges else {
                    throw PrefsError(
                        .tooLarge,
                        reason:
                            "etcd accepts \(Self.mostChanges) changes in a transaction, this has \(changes.count)"
                    )
                }
                items = nil
                let request = EtcdRequests.transaction(changes)
                guard
                    let body = try unlessFailed(
                        isWrite: true,
                        { connection, endpoint, _ throws(EtcdFailure) in
                            let body = try connection.call("/v3/kv/txn", request, at: endpoint)
                            return try EtcdTransactionAnswer(answer: body)
                        })
                else { continue }
                if body.succeeded {
                    return try finish(plan, present.applying(changes, body.header), body.header)
                }
                conflicts += 1
                if conflicts > Self.mostConflicts {
                    throw PrefsError(
                        .busy, reason: "other writers kept changing the same keys; nothing was changed")
                }
            }
        }

        /// Sends a request; returns `nil` if it should be repeated with another endpoint.
        private mutating func unlessFailed<Value>(
            isWrite: Bool, _ body: (EtcdConnection, String, EtcdSettings) throws(EtcdFailure) -> Value
        ) throws(PrefsError) -> Value? {
            do throws(EtcdFailure) {
                return try body(connection, endpoints.current, settings)
            } catch {
                try recover(from: error, isWrite: isWrite)
                return nil
            }
        }

        private mutating func recover(from failure: EtcdFailure, isWrite: Bool) throws(PrefsError) {
            switch failure.kind {
            case .unavailable, .protocolViolation:
                if isWrite, failure.wasSent { mayHaveWritten = true }
                contents.requestCheck()
            case .revision, .token: break
            case .tooLarge: throw error(.tooLarge, failure)
            case .permission, .credentials, .noSpace, .invalidRequest, .authenticationDisabled:
                throw error(.unwritable, failure)
            }
            let pause = min(endpoints.noteFailure(jitter: .random(in: 0...1)), .seconds(1))
            guard ContinuousClock.now.advanced(by: pause) < deadline else {
                throw error(.unwritable, failure)
            }
            connection.transport.poll(for: pause)
        }

        private func error(_ code: PrefsError.Code, _ failure: EtcdFailure) -> PrefsError {
            let outcome =
                mayHaveWritten ? "it is not known whether the change was stored" : "nothing was changed"
            return PrefsError(
                code, origin: PrefsOrigin(file: "etcd \(settings.prefix)"),
                reason: "\(endpoints.current): \(failure.message); \(outcome)")
        }

        /// Makes the values readable: waits until the client has received them.
        ///
        /// - Parameters:
        ///   - items: The server's contents at the revision of the header.
        private func finish(
            _ plan: Plan, _ items: [[UInt8]: EtcdItem], _ header: EtcdHeader
        ) throws(PrefsError) {
            if contents.isFollowerThread {
                // An observer writes. Only when it returns does this thread receive anything.
                contents.commit { $0.merge(items, header: header) }
                return
            }
            let isReadable = contents.announcement.wait(until: deadline) {
                contents.state.withLock { state in
                    if state.unannounced > 0 { return false }
                    if state.mirror.header.revision >= header.revision { return true }
                    return (try? plan(state.mirror.items).isEmpty) ?? false
                }
            }
            guard !isReadable else { return }
            throw PrefsError(
                .busy, origin: PrefsOrigin(file: "etcd \(settings.prefix)"),
                reason: "the change was stored at revision \(header.revision), but was not received back yet")
        }
    }

    extension [[UInt8]: EtcdItem] {
        /// The items after a transaction.
        fileprivate func applying(_ changes: [EtcdRequests.Change], _ header: EtcdHeader) -> Self {
            var items = self
            for change in changes {
                items[change.key] = change.value.map {
                    EtcdItem(key: change.key, value: $0, revision: header.revision)
                }
            }
            return items
        }
    }
#endif
