#if Etcd
    public import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// Returns the values that the server holds, by name, or held at an earlier revision.
        ///
        /// - Parameter revision: The revision; `nil` for the newest.
        /// - Throws: ``PrefsError``: `.missing` if the server has removed that revision from its history, or has
        ///   not reached it; `.unreadable` if no server answers or the user may not read.
        public func candidates(atRevision revision: Int64? = nil) throws -> [String: PrefsCandidate] {
            var candidates: [String: PrefsCandidate] = [:]
            for item in try items(atRevision: revision ?? 0) {
                guard case .success(let name) = settings.mapping.name(of: item.key) else { continue }
                candidates[name] = settings.mapping.candidate(for: item)
            }
            return candidates
        }

        /// Stores again what the server held at an earlier revision, in one transaction; newer keys are removed.
        ///
        /// The canaries, too, become those of that revision. Locks are left as they are.
        ///
        /// - Throws: What ``candidates(atRevision:)`` and ``setValues(_:)`` throw.
        public func restore(revision: Int64) throws {
            let old = EtcdMirror(items: try items(atRevision: revision), header: EtcdHeader()).items
            let range = EtcdKeyRange(prefix: settings.mapping.prefix)
            try write { present in
                var changes: [EtcdRequests.Change] = []
                for (key, item) in present where range.contains(key) && old[key]?.value != item.value {
                    changes.append(.init(key: key, value: old[key]?.value, base: item.revision))
                }
                for (key, item) in old where present[key] == nil {
                    changes.append(.init(key: key, value: item.value, base: 0))
                }
                return changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            }
        }

        /// Returns the values that a key has had since it was last created, the newest first.
        ///
        /// The server forgets the values before its last compaction.
        ///
        /// - Parameters:
        ///   - name: The key's name.
        ///   - limit: The largest number of values to return.
        /// - Throws: ``PrefsError``: `.unreadable` if no server answers or the user may not read.
        public func history(ofKey name: String, limit: Int = 100) throws -> [PrefsCandidate] {
            let key = try settings.mapping.key(for: name)
            var history: [PrefsCandidate] = []
            var revision: Int64 = 0
            while history.count < limit, let item = try item(key, atRevision: revision) {
                history.append(settings.mapping.candidate(for: item))
                if item.revision <= 1 { break }
                revision = item.revision - 1
            }
            return history
        }

        /// Returns `nil` if there was no such key, or the revision is no longer known.
        private func item(_ key: [UInt8], atRevision revision: Int64) throws -> EtcdItem? {
            let request = EtcdRequests.range(from: key, to: key + [0], limit: 1, revision: revision)
            do throws(EtcdFailure) {
                return try ask { connection, endpoint throws(EtcdFailure) in
                    let body = try connection.call("/v3/kv/range", request, at: endpoint)
                    return try EtcdRange(answer: body).items.first
                }
            } catch {
                if error.kind == .revision { return nil }
                throw unreadable(error)
            }
        }

        private func items(atRevision revision: Int64) throws -> [EtcdItem] {
            try items(in: [EtcdKeyRange(prefix: settings.mapping.prefix)], atRevision: revision).items
        }

        /// Lists ranges of keys at one revision; 0 for the newest.
        func items(
            in ranges: [EtcdKeyRange], atRevision revision: Int64 = 0
        ) throws -> (items: [EtcdItem], header: EtcdHeader) {
            do throws(EtcdFailure) {
                return try ask { connection, endpoint throws(EtcdFailure) in
                    try connection.list(ranges, at: endpoint, revision: revision)
                }
            } catch {
                throw unreadable(error)
            }
        }

        private func unreadable(_ failure: EtcdFailure) -> PrefsError {
            PrefsError(
                failure.kind == .revision ? .missing : .unreadable,
                origin: PrefsOrigin(file: "etcd \(settings.prefix)"), reason: failure.message)
        }

        /// Sends a request to the endpoints in turn, until one answers.
        private func ask<Value: Sendable>(
            _ body: (EtcdConnection, String) throws(EtcdFailure) -> Value
        ) throws(EtcdFailure) -> Value {
            let current = contents.state.withLock { $0.endpoint }
            let endpoints =
                [current].filter(settings.endpoints.contains) + settings.endpoints.filter { $0 != current }
            return try connections.use(settings, login) { connection throws(EtcdFailure) in
                var failure = EtcdFailure(.invalidRequest, settings.problem ?? "libcurl has no memory")
                guard let connection else { throw failure }
                for endpoint in endpoints {
                    do throws(EtcdFailure) { return try body(connection, endpoint) } catch { failure = error }
                    if failure.kind != .unavailable { break }
                }
                throw failure
            }
        }
    }
#endif
