#if Etcd
    public import LayeredPrefs
    import PrefsSystem

    extension EtcdPrefsStorage {
        /// Fetches the values on the server by name, either the newest or those at an earlier revision.
        ///
        /// - Parameter revision: The revision; `nil` for the newest.
        /// - Throws: ``PrefsError``: `.missing` if the server has removed that revision from its history, or has not
        ///   reached it yet; `.unreadable` if no server answers, or, with the errno `EACCES`, if the user may not
        ///   read.
        public func candidates(atRevision revision: Int64? = nil) throws -> [String: PrefsCandidate] {
            var candidates: [String: PrefsCandidate] = [:]
            for item in try items(atRevision: revision) {
                guard let name = try? client.settings.mapping.name(of: item.key) else { continue }
                candidates[name] = client.settings.mapping.candidate(for: item)
            }
            return candidates
        }

        /// Restores the server's contents of an earlier revision, in one transaction. Newer keys are removed.
        ///
        /// The canaries of that revision are restored, too. Key locks stay unchanged.
        ///
        /// - Throws: The errors of ``candidates(atRevision:)`` and ``setValues(_:)``; `.tooLarge` if more than 128
        ///   keys differ.
        public func restore(revision: Int64) throws {
            let old = EtcdMirror(items: try items(atRevision: revision), header: EtcdHeader()).items
            let range = client.settings.mapping.range
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

        /// Fetches the values that a key has had since it was last created, the newest first.
        ///
        /// The server forgets the values before its last compaction.
        ///
        /// - Parameters:
        ///   - name: The name of the key.
        ///   - limit: The largest number of values to return.
        /// - Throws: ``PrefsError``: `.unreadable` if no server answers or the user may not read.
        public func history(ofKey name: String, limit: Int = 100) throws -> [PrefsCandidate] {
            let key = try client.settings.mapping.key(for: name)
            let items = try ask { connection, endpoint throws(EtcdFailure) in
                try connection.history(of: key, limit: limit, at: endpoint)
            }
            return items.map(client.settings.mapping.candidate)
        }

        /// Fetches the places of the server's key locks, by the names of the locked keys.
        ///
        /// - Throws: The errors of ``candidates(atRevision:)``.
        package func locks() throws -> [String: PrefsOrigin] {
            guard let mapping = client.settings.locks else { return [:] }
            var locks: [String: PrefsOrigin] = [:]
            for item in try items(in: [mapping.range]).items {
                guard let name = try? mapping.name(of: item.key) else { continue }
                locks[name] = mapping.origin(of: item)
            }
            return locks
        }

        private func items(atRevision revision: Int64?) throws(PrefsError) -> [EtcdItem] {
            let settings = client.settings
            if let revision, revision < 1 {
                let reason = "there is no revision \(revision); the first is 1"
                throw PrefsError(.missing, origin: settings.origin, reason: reason)
            }
            do throws(PrefsError) {
                return try items(in: [settings.mapping.range], atRevision: revision ?? 0).items
            } catch {
                guard let revision else { throw error }
                var error = error
                if error.reason.contains("compacted") {
                    error.reason = "the server has compacted its history, and lacks revision \(revision)"
                } else if error.reason.contains("future revision") {
                    error.reason = "the server has not reached revision \(revision)"
                }
                throw error
            }
        }

        /// Lists ranges of keys at one revision, or at the newest one for 0.
        func items(
            in ranges: [EtcdKeyRange], atRevision revision: Int64 = 0
        ) throws(PrefsError) -> (items: [EtcdItem], header: EtcdHeader) {
            try ask { connection, endpoint throws(EtcdFailure) in
                try connection.list(ranges, at: endpoint, revision: revision)
            }
        }

        /// Sends requests to one endpoint after the other, until one gives etcd's answer.
        private func ask<Value>(
            _ body: (EtcdConnection, String) throws(EtcdFailure) -> Value
        ) throws(PrefsError) -> Value {
            let settings = client.settings
            if let problem = settings.problem {
                throw PrefsError(.invalid, origin: settings.origin, reason: problem)
            }
            var failure = EtcdFailure(.invalidRequest, "libcurl has no memory")
            let current = client.state.withLock { $0.endpoint }
            let others = settings.endpoints.filter { $0 != current }
            if let connection = EtcdConnection(client) {
                for endpoint in settings.endpoints.filter({ $0 == current }) + others {
                    do throws(EtcdFailure) { return try body(connection, endpoint) } catch {
                        failure = error
                        failure.message = "\(endpoint): \(error.message)"
                    }
                    if failure.kind != .unavailable, failure.kind != .protocolViolation { break }
                }
            }
            throw PrefsError(
                failure.kind == .revision ? .missing : .unreadable, origin: settings.origin,
                errno: failure.kind.errno, reason: failure.message)
        }
    }

    extension EtcdConnection {
        /// Returns the values that a key has had since it was last created, the newest first. Stops at the last
        /// compaction.
        fileprivate func history(
            of key: [UInt8], limit: Int, at endpoint: String
        ) throws(EtcdFailure) -> [EtcdItem] {
            var items: [EtcdItem] = []
            while items.count < limit {
                let revision = items.last.map { $0.revision - 1 } ?? 0
                if items.last?.revision == 1 { break }
                let request = EtcdRequests.range(from: key, to: key + [0], limit: 1, revision: revision)
                do throws(EtcdFailure) {
                    let answer = try EtcdRange(answer: try call("/v3/kv/range", request, at: endpoint))
                    guard let item = answer.items.first else { break }
                    items.append(item)
                } catch {
                    // This part of the history was compacted.
                    if error.kind == .revision { break }
                    throw error
                }
            }
            return items
        }
    }
#endif
