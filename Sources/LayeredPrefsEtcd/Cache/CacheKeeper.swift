#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import PrefsFiles
    import PrefsSystem

    /// Keeps the cache up to date. Confined to the client's thread.
    final class CacheKeeper {
        private let client: EtcdClient
        private let file: CacheFile
        /// The time for the next write; `nil` if nothing has changed.
        private(set) var deadline: ContinuousClock.Instant?
        private var isFailing = false

        /// Changes within this time are written together.
        private static let delay = Duration.seconds(1)

        /// Returns `nil` if there is no cache.
        init?(_ client: EtcdClient) {
            guard let file = client.settings.cacheFile else { return nil }
            (self.client, self.file) = (client, file)
        }

        func noteChange() { deadline = deadline ?? .now.advanced(by: Self.delay) }

        /// Writes what has changed.
        ///
        /// - Parameter now: The time before which nothing is written that is due later; `nil` to write it as well.
        func saveChanges(ifDue now: ContinuousClock.Instant? = nil) {
            guard let deadline, now.map({ deadline <= $0 }) ?? true else { return }
            self.deadline = nil
            do throws(PrefsError) {
                try file.write(contents)
                guard isFailing else { return }
                isFailing = false
                let reason = "the cached contents could be written again"
                let origin = PrefsOrigin(file: file.path)
                client.diagnostics.report(
                    .recovered, PrefsError(.unwritable, origin: origin, reason: reason))
            } catch {
                noteChange()
                if !isFailing { client.diagnostics.report(.warning, error) }
                isFailing = true
            }
        }

        private var contents: CacheFile.Contents {
            let mirror = client.state.withLock { $0.mirror }
            let items = mirror.items.values.filter { item in
                let (role, mapping) = client.settings.role(of: item.key)
                guard role != .lock, let name = try? mapping.name(of: item.key) else { return true }
                return client.settings.cache.mayContain(name)
            }
            return CacheFile.Contents(
                items: items.sorted { $0.key.lexicographicallyPrecedes($1.key) }, header: mirror.header,
                time: Int64(Date.now.timeIntervalSince1970))
        }
    }
#endif
