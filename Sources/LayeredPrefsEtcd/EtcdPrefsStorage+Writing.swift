#if Etcd
    public import LayeredPrefs

    extension EtcdPrefsStorage {
        /// Stores a value on the server, or removes it.
        ///
        /// When this method returns, the majority of the cluster has stored the value, and it can be read. It
        /// waits for the network, at most for ``Timing/write``. Setting or removing `http` also removes the keys
        /// below it, and ends their canaries.
        ///
        /// - Throws: ``PrefsError``: `.notWritable` if the storage is read-only; `.notEncodable` if JSON has no
        ///   such value; `.tooLarge`; `.busy` if other writers keep changing the key; `.unwritable` if the server
        ///   refuses or none answers. The reason says whether the value may have been stored nevertheless.
        @discardableResult
        public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
            do { try setValues([key: value]) } catch var error as PrefsError {
                error.key = error.key ?? key
                throw error
            }
            return .effective
        }

        /// Stores several values in one transaction of etcd, so that every reader has all of them or none; `nil`
        /// removes.
        ///
        /// - Throws: What ``setValue(_:forKey:)`` throws; `.tooLarge` for more than 128 keys, among them those
        ///   that it removes below others.
        public func setValues(_ values: [String: PrefsValue?]) throws {
            let plan = WritePlan(
                mapping: client.settings.mapping, edits: values, canaries: client.settings.canaries)
            try write { items throws(PrefsError) in try plan.changes(of: items) }
        }

        /// Makes the changes that a plan wants, in one transaction.
        func write(_ plan: EtcdWriter.Plan) throws {
            guard isWritable else {
                throw PrefsError(
                    .notWritable, reason: "the storage was created as read-only; pass `isWritable: true`")
            }
            if let problem = client.settings.problem { throw PrefsError(.notWritable, reason: problem) }
            guard let connection = EtcdConnection(client) else {
                throw PrefsError(.unwritable, reason: "libcurl has no memory")
            }
            var writer = EtcdWriter(client, connection)
            try writer.write(plan)
        }
    }
#endif
