#if Configuration
    public import Configuration
    public import LayeredPrefs
    import PrefsSystem

    /// A provider of swift-configuration as a layer. The provider may be a secret store, a remote server, or any
    /// other source.
    ///
    /// ```swift
    /// let secrets = ConfigProviderPrefsStorage(provider, keys: ["http.port": .int, "db.password": .string])
    /// let storage = PrefsStack {
    ///     PrefsLayer("secrets", secrets)
    ///     PrefsLayer(.overrides, .dictionary)
    /// }
    /// ```
    ///
    /// **Keys.** A provider cannot list its keys, so the storage asks for each declared key, in its type. The parts
    /// of a dotted name are the components of the key.
    ///
    /// **Values** keep the kind that the provider gives them. If a lookup throws, its value is rejected: the value
    /// counts as absent, is reported with the provider's error, and does not hide lower layers. As in every layer,
    /// secrets are masked if their keys are declared with `isSecret`. The stack does not know the provider's own
    /// marks.
    ///
    /// **Changes** arrive through the provider's `watchSnapshot`, without polling. If a provider needs a
    /// `ServiceGroup` to reload, it needs the group here, too. If watching ends with an error, the last values stay,
    /// and ``status`` reports it.
    ///
    /// The storage is read-only. You may call all functions from any thread.
    public final class ConfigProviderPrefsStorage: PrefsStorage {
        private struct Contents {
            var snapshot: PrefsSnapshot
            var candidates: [String: PrefsCandidate]
            /// The number of the reading that the contents are from.
            var reading = 0
            var lastReading = 0
            var problem: PrefsError?
        }

        private let provider: any ConfigProvider
        private let types: [String: ConfigType]
        private let contents: Lock<Contents>
        private let changes = PrefsChangeSource(announcesEveryChange: true)
        private let following = Lock<Task<Void, Never>?>(nil)

        /// Creates a layer of a provider's values, reads them, and follows them until the layer is released.
        ///
        /// - Parameters:
        ///   - provider: The provider.
        ///   - keys: The declared keys with their types. The storage asks the provider for each key in its type.
        public init(_ provider: any ConfigProvider, keys: [String: ConfigType]) {
            self.provider = provider
            types = keys
            let candidates = Self.candidates(of: provider.snapshot(), keys)
            contents = Lock(
                Contents(snapshot: PrefsSnapshot(candidates: candidates), candidates: candidates))
            following.withLock { $0 = Task { [weak self, provider] in await Self.follow(provider, self) } }
        }

        deinit { following.withLock { $0?.cancel() } }

        public var snapshot: PrefsSnapshot { contents.withLock { $0.snapshot } }

        public var changeSource: PrefsChangeSource? { changes }

        public var status: [PrefsSourceStatus] {
            let problem = contents.withLock { $0.problem }
            return [
                PrefsSourceStatus(
                    problem: problem, generation: changes.generation, detail: provider.providerName)
            ]
        }

        /// Asks the provider for its present values. It does not wait for a remote provider to fetch them.
        public func reload() {
            let reading = contents.withLock { contents in
                contents.lastReading += 1
                return contents.lastReading
            }
            publish(provider.snapshot(), of: reading)
        }
    }

    extension ConfigProviderPrefsStorage {
        private static func follow(
            _ provider: any ConfigProvider,
            _ storage: @autoclosure @Sendable () -> ConfigProviderPrefsStorage?
        ) async {
            do {
                try await provider.watchSnapshot { updates in
                    for await _ in updates {
                        guard let storage = storage() else { return }
                        // We do not use the update, because it may be older than the values that a reload has
                        // published.
                        storage.reload()
                    }
                }
            } catch {
                guard !Task.isCancelled else { return }
                let problem = PrefsError(.unreadable, reason: "the provider cannot be watched: \(error)")
                storage()?.contents.withLock { $0.problem = problem }
            }
        }

        /// Publishes the values that differ, unless a later reading has been published already.
        private func publish(_ snapshot: any ConfigSnapshot, of reading: Int) {
            let candidates = Self.candidates(of: snapshot, types)
            let didChange = contents.withLock { contents in
                guard reading > contents.reading else { return false }
                contents.reading = reading
                var changes: [String: PrefsCandidate?] = [:]
                for name in types.keys where candidates[name] != contents.candidates[name] {
                    changes[name] = .some(candidates[name])
                }
                guard !changes.isEmpty else { return false }
                contents.candidates = candidates
                contents.snapshot = contents.snapshot.replacing(changes)
                return true
            }
            if didChange { changes.advance() }
        }

        private static func candidates(
            of snapshot: any ConfigSnapshot, _ types: [String: ConfigType]
        ) -> [String: PrefsCandidate] {
            var candidates: [String: PrefsCandidate] = [:]
            for (name, type) in types { candidates[name] = candidate(of: snapshot, name, type) }
            return candidates
        }

        private static func candidate(
            of snapshot: any ConfigSnapshot, _ name: String, _ type: ConfigType
        ) -> PrefsCandidate? {
            let key = AbsoluteConfigKey(PrefsPath(name).components)
            do {
                let result = try snapshot.value(forKey: key, type: type)
                let coding = ConfigContentCoding(type: type)
                guard let value = result.value, let stored = coding.encode(value.content) else { return nil }
                let origin = PrefsOrigin(spelling: "\(snapshot.providerName) \(result.encodedKey)")
                return PrefsCandidate(stored, origin: origin)
            } catch {
                let origin = PrefsOrigin(spelling: "\(snapshot.providerName) \(name)")
                return PrefsCandidate(
                    "", origin: origin,
                    rejection: PrefsError(
                        .wrongType, key: name, origin: origin,
                        reason: "\(snapshot.providerName) has no \(type) for this key: \(error)"))
            }
        }
    }
#endif
