#if Configuration
    import Configuration
    import LayeredPrefs
    import LayeredPrefsConfiguration
    import Testing

    @Suite struct ConfigProviderPrefsStorageTests {
        private static let port = PersistentKey("http.port", defaultValue: 80)
        private static let level = PersistentKey("log.level", defaultValue: "info")

        private func stack(
            _ provider: any ConfigProvider, diagnostics: PrefsDiagnosticHandler = PrefsDiagnosticHandler()
        )
            -> PrefsStack
        {
            PrefsStack(diagnostics: diagnostics) {
                PrefsLayer.defaults(["http.port": 1])
                PrefsLayer(
                    "provider",
                    ConfigProviderPrefsStorage(provider, keys: ["http.port": .int, "log.level": .string]))
            }
        }

        @Test func `declared keys have the provider's values, with its spelling`() {
            let storage = stack(InMemoryProvider(name: "memory", values: ["http.port": 8080, "other": 1]))
            #expect(storage.get(Self.port) == 8080)
            #expect(storage.get(Self.level) == "info")
            let origin = storage.resolution(for: Self.port).origin
            #expect(origin?.layer == "provider" && origin?.spelling?.contains("http.port") == true)
            #expect(storage.snapshot["other"] == nil)
            #expect(throws: PrefsError.self) { try storage.set(Self.port, to: 1, in: "provider") }
        }

        @Test func `a change of the provider is committed and delivered`() async throws {
            let provider = MutableInMemoryProvider(initialValues: ["http.port": 8080])
            let storage = stack(provider)
            var ports: [Int] = []
            for await port in storage.values(for: Self.port) {
                ports.append(port)
                if ports.count == 1 { provider.setValue(9090, forKey: ["http", "port"]) }
                if ports.count == 2 { provider.setValue(nil, forKey: ["http", "port"]) }
                if ports.count == 3 { break }
            }
            #expect(ports == [8080, 9090, 1])
        }

        @Test func `a lookup that throws is rejected, and the next lower value counts`() {
            let provider = EnvironmentVariablesProvider(
                environmentVariables: ["HTTP_PORT": "many", "LOG_LEVEL": "debug"])
            let storage = stack(provider)
            #expect(storage.get(Self.port) == 1)
            #expect(storage.get(Self.level) == "debug")
            let rejected = storage.resolution(for: Self.port).rejected
            #expect(rejected.count == 1 && "\(rejected)".contains("http.port"))
        }

        @Test func `the value of a key declared as secret is masked`() {
            let token = PersistentKey("log.level", defaultValue: "", .secret)
            let storage = stack(InMemoryProvider(values: ["log.level": "hunter2"]))
            #expect(storage.get(token) == "hunter2")
            #expect(!"\(storage.explanation(for: token))".contains("hunter2"))
        }

        @Test func `watching does not keep the storage alive`() async {
            weak var storage: ConfigProviderPrefsStorage?
            do {
                let created = ConfigProviderPrefsStorage(
                    MutableInMemoryProvider(initialValues: ["a": 1]), keys: ["a": .int])
                #expect(created.snapshot["a"] != nil)
                storage = created
            }
            // The watching task may still be publishing for a moment.
            for _ in 0..<1_000_000 where storage != nil { await Task.yield() }
            #expect(storage == nil)
        }
    }
#endif
