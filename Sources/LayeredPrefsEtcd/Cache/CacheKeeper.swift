#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import PrefsDocuments
    import PrefsFiles
    import PrefsSystem

    /// Keeps the cache up to date. Confined to the client's thread.
    final class CacheKeeper {
        private let client: EtcdClient
        private let file: CacheFile
        /// The time of the next write; `nil` if nothing has changed.
        private(set) var deadline: ContinuousClock.Instant?
        /// The failures since the last success.
        private var failures = 0

        /// The time between a change and the write, so that several changes are written together. It doubles after
        /// each failure, up to 256 seconds.
        private static let delay = Duration.seconds(1)

        /// Returns `nil` if there is no cache.
        init?(_ client: EtcdClient) {
            guard let file = client.settings.cacheFile else { return nil }
            (self.client, self.file) = (client, file)
        }

        func noteChange() {
            deadline = deadline ?? .now.advanced(by: Self.delay * (1 << min(failures, 8)))
        }

        /// Writes the contents if they have changed.
        ///
        /// - Parameter now: The current time: a write that is due later is not made. Pass `nil` to write changes
        ///   even if they are not due yet.
        func saveChanges(ifDue now: ContinuousClock.Instant? = nil) {
            guard let deadline, now.map({ deadline <= $0 }) ?? true else { return }
            self.deadline = nil
            do throws(PrefsError) {
                try file.write(contents)
                guard failures > 0 else { return }
                failures = 0
                let reason = "the cached contents are saved again"
                let origin = PrefsOrigin(file: file.path)
                client.diagnostics.report(
                    .recovered, PrefsError(.unwritable, origin: origin, reason: reason))
            } catch {
                failures += 1
                noteChange()
                if failures == 1 { client.diagnostics.report(.warning, error) }
            }
        }

        private var contents: CacheFile.Contents {
            let mirror = client.state.withLock { $0.mirror }
            let items = mirror.items.values.compactMap(cached)
            return CacheFile.Contents(
                items: items.sorted { $0.key.lexicographicallyPrecedes($1.key) }, header: mirror.header,
                time: Int64(Date.now.timeIntervalSince1970))
        }

        /// Returns an item without the parts that must not be written to disk; `nil` if nothing else is left.
        private func cached(_ item: EtcdItem) -> EtcdItem? {
            let (role, mapping) = client.settings.role(of: item.key)
            guard role != .lock, let name = try? mapping.name(of: item.key) else { return item }
            let parts = client.settings.cache.omittedParts(of: name)
            if parts.isEmpty { return item }
            let candidate = mapping.candidate(for: item)
            // A value that cannot be parsed may contain anything.
            guard candidate.rejection == nil, !parts.contains([]) else { return nil }
            guard case .dictionary(var object) = candidate.value else { return item }
            let removed = parts.count { object.remove(at: role == .canary ? ["value"] + $0 : $0) }
            if removed == 0 { return item }
            guard role == .canary ? object["value"] != nil : !object.isEmpty,
                let text = try? PrefsValue.dictionary(object).compactJSON()
            else { return nil }
            return EtcdItem(key: item.key, value: text, revision: item.revision)
        }
    }
#endif
