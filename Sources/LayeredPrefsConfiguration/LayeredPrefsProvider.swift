#if Configuration
    public import Configuration
    public import LayeredPrefs

    /// A stack of layers as a provider of swift-configuration. The layers then configure every library that takes a
    /// `ConfigReader`, and are reloaded live.
    ///
    /// ```swift
    /// let storage = try PrefsStack.standard(domain: "com.example.myd")
    /// let config = ConfigReader(provider: LayeredPrefsProvider(storage))
    ///
    /// let port = config.int(forKey: "http.port", default: 8080)
    /// ```
    ///
    /// **Keys.** The components of a key, joined with dots, are the name of the preference. The context is ignored.
    ///
    /// **Values.** Each value is read as the requested type, and the topmost value of that type is effective. A value
    /// of another type is rejected with a diagnostic of the stack, and the next lower value is tried. If no value is
    /// left, the provider has none, so the reader's default or the next provider applies. No lookup throws. A
    /// dictionary is not a value of swift-configuration. A date is a string in ISO 8601.
    ///
    /// **Changes.** The stack's file watcher notifies the readers that watch a value. This needs neither polling nor
    /// a `ServiceGroup`. A watcher receives the current value first, then each different one. If it has no time to
    /// receive a value, a newer one replaces it.
    ///
    /// **Key locks** apply among the layers of the stack. A provider that precedes this one in the list of a
    /// `ConfigReader` overrides locked keys as well, so make this provider the first, or the only one.
    ///
    /// **Secrets.** A value is secret if the stack knows a key of that name that is declared secret.
    ///
    /// The provider keeps the stack alive. You may call all functions from any thread.
    public struct LayeredPrefsProvider: ConfigProvider {
        /// The name of this provider in the output of access reporters.
        public let providerName: String
        private let storage: PrefsStack

        /// Creates a provider of a stack's values.
        ///
        /// - Parameters:
        ///   - storage: The stack.
        ///   - name: The name of the provider in the output of access reporters.
        public init(_ storage: PrefsStack, name: String = "LayeredPrefs") {
            self.storage = storage
            providerName = name
        }

        /// Returns the effective value of a key. It never throws.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
            currentSnapshot.value(forKey: key, type: type)
        }

        /// Checks the files again, and then returns the effective value of a key. It never throws.
        public func fetchValue(
            forKey key: AbsoluteConfigKey, type: ConfigType
        ) async -> LookupResult {
            storage.reload()
            return value(forKey: key, type: type)
        }

        /// Passes the handler a sequence of a key's current value and each different value that follows, until the
        /// task is cancelled. No element is a failure.
        public func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey,
            type: ConfigType,
            updatesHandler: (
                _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
            ) async throws -> Return
        ) async throws -> Return {
            let name = key.preferenceName
            let updates = storage.values(for: type.key(name)).map {
                [storage] content -> Result<LookupResult, any Error> in
                // The value is the delivered one. We read its origin again, and omit it if the value has changed
                // in the meantime: that change is delivered next.
                let resolution = storage.resolution(for: type.key(name))
                return .success(
                    LookupResult(
                        name: name, content: content,
                        origin: resolution.value == content ? resolution.origin : nil,
                        isSecret: storage.declaresSecret(name)))
            }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
        }

        /// Returns a snapshot of the values of all keys at this moment.
        public func snapshot() -> any ConfigSnapshot { currentSnapshot }

        /// Passes the handler a sequence of the current snapshot and a snapshot of each generation that follows,
        /// until the task is cancelled.
        public func watchSnapshot<Return: ~Copyable>(
            updatesHandler: (
                _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
            ) async throws -> Return
        ) async throws -> Return {
            // Each snapshot is taken when it is delivered. A first snapshot that is taken here could replace a
            // newer one.
            let (commits, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let observation = storage.observe { _ in continuation.yield() }
            continuation.yield()
            defer { observation.cancel() }
            let updates = commits.map { _ -> any ConfigSnapshot in currentSnapshot }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
        }

        private var currentSnapshot: LayeredPrefsProviderSnapshot {
            LayeredPrefsProviderSnapshot(
                providerName: providerName, storage: storage, snapshot: storage.snapshot)
        }
    }

    /// The values of one generation.
    private struct LayeredPrefsProviderSnapshot: ConfigSnapshot {
        let providerName: String
        let storage: PrefsStack
        let snapshot: PrefsSnapshot

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) -> LookupResult {
            let name = key.preferenceName
            let resolution = snapshot.resolution(for: type.key(name))
            return LookupResult(
                name: name, content: resolution.value, origin: resolution.origin,
                isSecret: storage.declaresSecret(name))
        }
    }

    extension LookupResult {
        /// The result for a preference. The encoded key names the origin of the value, so that access
        /// reporters show it: `http.port (user /home/ada/.config/com.example.myd.plist:6:9)`.
        fileprivate init(name: String, content: ConfigContent?, origin: PrefsOrigin?, isSecret: Bool) {
            self.init(
                encodedKey: origin.map { "\(name) (\($0))" } ?? name,
                value: content.map { ConfigValue($0, isSecret: isSecret) })
        }
    }

    extension PrefsStack {
        fileprivate func declaresSecret(_ name: String) -> Bool { resolution(forKey: name).isSecret }
    }

    extension AbsoluteConfigKey {
        var preferenceName: String { PrefsPath(components: components).name }
    }
#endif
