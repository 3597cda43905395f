#if Etcd
    public import LayeredPrefs

    extension EtcdPrefsStorage {
        /// Stores a value on the server, or removes it.
        ///
        /// When this method returns, the majority of the cluster has stored the value, and it can be read. The method
        /// waits for the network, for at most ``Timing/write``. If you set or remove `http`, the keys below it are
        /// removed, too, and their canaries end.
        ///
        /// - Throws: ``PrefsError``: `.notWritable` if the storage is read-only; `.notEncodable` if JSON has no such
        ///   value; `.tooLarge`; `.busy` if other writers keep changing the key; `.unwritable` if the server denies
        ///   the write or none answers. The reason says whether the value may have been stored nevertheless.
        @discardableResult
        public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
            do { try setValues([key: value]) } catch var error as PrefsError {
                error.key = error.key ?? key
                throw error
            }
            return .effective
        }

        /// Stores or removes several values in one transaction of etcd, so that every reader sees all of the changes
        /// or none.
        ///
        /// A `nil` value removes the key.
        ///
        /// - Throws: The errors of ``setValue(_:forKey:)``; `.tooLarge` for more than 128 keys, including the keys
        ///   that it removes below others.
        public func setValues(_ values: [String: PrefsValue?]) throws {
            let plan = WritePlan(
                mapping: client.settings.mapping, edits: values, canaries: client.settings.canaries)
            try write { items throws(PrefsError) in try plan.changes(of: items) }
        }

        /// Makes the changes that a plan returns, in one transaction.
        func write(_ plan: EtcdWriter.Plan) throws {
            guard isWritable else {
                throw PrefsError(
                    .notWritable, reason: "this storage is read-only; create it with `isWritable: true`")
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
