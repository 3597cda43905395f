#if Configuration
    import Configuration
    import ConfigurationTesting
    import FoundationEssentials
    import LayeredPrefs
    import LayeredPrefsConfiguration
    import LayeredPrefsTesting
    import Testing

    @Suite struct LayeredPrefsProviderTests {
        private let overrides = DictionaryPrefsStorage()
        private let user = DictionaryPrefsStorage()
        private let diagnostics = PrefsDiagnosticHandler()

        private func stack(_ defaults: [String: PrefsValue] = [:]) -> PrefsStack {
            PrefsStack(diagnostics: diagnostics) {
                PrefsLayer.defaults(defaults)
                PrefsLayer("user", user)
                PrefsLayer("overrides", overrides)
            }
        }

        @Test func `passes the compatibility test of swift-configuration`() async throws {
            let magic = PrefsValue.data(Data("magic".utf8))
            let magic2 = PrefsValue.data(Data("magic2".utf8))
            let storage = stack([
                "string": "Hello", "int": 42, "double": 3.14, "bool": true, "bytes": magic,
                "stringy": ["array": ["Hello", "World"]], "inty": ["array": [42, 24]],
                "doubly": ["array": [3.14, 2.72]], "booly": ["array": [true, false]],
                "byteChunky": ["array": .array([magic, magic2])],
                "other": [
                    "string": "Other Hello", "int": 24, "double": 2.72, "bool": false, "bytes": magic2,
                    "stringy": ["array": ["Hello", "Swift"]], "inty": ["array": [16, 32]],
                    "doubly": ["array": [0.9, 1.8]], "booly": ["array": [false, true, true]],
                    "byteChunky": ["array": .array([magic, magic2, magic])],
                ],
            ])
            let bytes: [UInt8] = Array("magic".utf8)
            let bytes2: [UInt8] = Array("magic2".utf8)
            try await ProviderCompatTest(
                provider: LayeredPrefsProvider(storage),
                configuration: .init(overrides: [
                    "bytes": .bytes(bytes), "other.bytes": .bytes(bytes2),
                    "byteChunky.array": .byteChunkArray([bytes, bytes2]),
                    "other.byteChunky.array": .byteChunkArray([bytes, bytes2, bytes]),
                ])
            ).runTest()
        }

        @Test func `a value of another type is rejected and the next lower one counts`() throws {
            let storage = stack(["http": ["port": 80]])
            let reader = ConfigReader(provider: LayeredPrefsProvider(storage))
            try user.setValue("many", forKey: "http.port")
            #expect(reader.int(forKey: "http.port", default: 1) == 80)
            #expect(reader.string(forKey: "http.port") == "many")
            try overrides.setValue(8080, forKey: "http.port")
            #expect(reader.int(forKey: "http.port", default: 1) == 8080)
        }

        @Test func `a key with only unsuitable values leaves the decision to the next provider`() throws {
            let storage = stack(["http": ["port": "many"], "group": ["a": 1]])
            let next = InMemoryProvider(values: ["http.port": 443, "group": "text"])
            let reader = ConfigReader(providers: [LayeredPrefsProvider(storage), next])
            #expect(reader.int(forKey: "http.port") == 443)
            #expect(reader.string(forKey: "group") == "text")
            #expect(try reader.requiredInt(forKey: "group.a") == 1)
        }

        @Test(arguments: [
            (PrefsValue.integer(Int128(Int64.max) + 1), ConfigType.int, ConfigContent?.none),
            (3, .double, .double(3)),
            (3.0, .int, nil),
            (1, .bool, nil),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), .string, .string("2001-01-01T00:00:00Z")),
            (.dictionary(["a": 1]), .string, nil),
            (.array([1, "two"]), .intArray, nil),
            (.array([]), .stringArray, .stringArray([])),
        ])
        func `each type accepts its own stored forms`(
            stored: PrefsValue, type: ConfigType, expected: ConfigContent?
        ) throws {
            let provider = LayeredPrefsProvider(stack(["key": stored]))
            #expect(provider.value(forKey: ["key"], type: type).value?.content == expected)
        }

        @Test func `text of the environment is parsed as the requested type`() throws {
            let storage = PrefsStack {
                PrefsLayer(
                    "environment",
                    EnvironmentPrefsStorage(
                        prefix: "MYD_", environment: ["MYD_HTTP_PORT": "8080", "MYD_DEBUG": "true"]))
            }
            let reader = ConfigReader(provider: LayeredPrefsProvider(storage))
            #expect(reader.int(forKey: "http.port") == 8080)
            #expect(reader.bool(forKey: "debug") == true)
            #expect(reader.string(forKey: "http.port") == "8080")
        }

        @Test func `the encoded key names the origin of a value`() throws {
            let sandbox = try PrefsSandbox()
            let path = "\(sandbox.root)/user.json"
            try Data(#"{"http": {"port": 9090}}"#.utf8).write(to: URL(filePath: path))
            let storage = PrefsStack { PrefsLayer("user", FilePrefsStorage(path: path)) }
            let result = LayeredPrefsProvider(storage).value(forKey: ["http", "port"], type: .int)
            #expect(result.encodedKey == "http.port (user \(path):1:11)")
            #expect(result.value == ConfigValue(9090, isSecret: false))
        }

        @Test func `a value is secret if its key is declared secret`() throws {
            let storage = stack(["auth": ["token": "hunter2"]])
            storage.declare(PersistentKey("auth.token", defaultValue: "", .secret))
            let provider = LayeredPrefsProvider(storage)
            let result = provider.value(forKey: ["auth", "token"], type: .string)
            #expect(result.value == ConfigValue("hunter2", isSecret: true))
            #expect(try provider.snapshot().value(forKey: ["auth", "token"], type: .string) == result)
        }

        @Test func `a watcher receives different values only`() async throws {
            let storage = stack(["level": "info"])
            let provider = LayeredPrefsProvider(storage)
            let user = user
            let received = try await provider.watchValue(forKey: ["level"], type: .string) { updates in
                var received: [ConfigContent?] = []
                for await update in updates {
                    received.append(try update.get().value?.content)
                    switch received.count {
                    case 1:
                        try user.setValue("info", forKey: "level")
                        try user.setValue("debug", forKey: "level")
                    case 2: try user.setValue(nil, forKey: "level")
                    default: return received
                    }
                }
                return received
            }
            #expect(received == [.string("info"), .string("debug"), .string("info")])
        }

        @Test func `a snapshot keeps its values`() async throws {
            let storage = stack(["level": "info"])
            let provider = LayeredPrefsProvider(storage)
            let before = provider.snapshot()
            let user = user
            try await provider.watchSnapshot { updates in
                for await snapshot in updates {
                    let level = try snapshot.value(forKey: ["level"], type: .string).value
                    if level == ConfigValue("debug", isSecret: false) { break }
                    try user.setValue("debug", forKey: "level")
                }
            }
            #expect(try before.value(forKey: ["level"], type: .string).value == "info")
        }

        @Test func `watching ends when the task is cancelled`() async throws {
            let provider = LayeredPrefsProvider(stack(["level": "info"]))
            let (started, start) = AsyncStream<Void>.makeStream()
            let values = Task {
                try await provider.watchValue(forKey: ["level"], type: .string) { updates in
                    var count = 0
                    for await _ in updates {
                        count += 1
                        start.yield()
                    }
                    return count
                }
            }
            let snapshots = Task {
                try await provider.watchSnapshot { updates in
                    var count = 0
                    for await _ in updates {
                        count += 1
                        start.yield()
                    }
                    return count
                }
            }
            var events = started.makeAsyncIterator()
            await events.next()
            await events.next()
            values.cancel()
            snapshots.cancel()
            #expect(try await values.value == 1)
            #expect(try await snapshots.value == 1)
        }

        @Test func `an edited file reaches a watching reader without a service`() async throws {
            let sandbox = try PrefsSandbox()
            let path = "\(sandbox.root)/user.json"
            try Data(#"{"level": "info"}"#.utf8).write(to: URL(filePath: path))
            let storage = PrefsStack { PrefsLayer("user", FilePrefsStorage(path: path)) }
            let reader = ConfigReader(provider: LayeredPrefsProvider(storage))
            let levels = try await reader.watchString(forKey: "level", default: "none") { updates in
                var levels: [String] = []
                for await level in updates {
                    levels.append(level)
                    if level == "debug" { break }
                    try Data(#"{"level": "debug"}"#.utf8).write(to: URL(filePath: path), options: .atomic)
                }
                return levels
            }
            #expect(levels == ["info", "debug"])
        }

        @Test func `a lock holds for readers`() throws {
            let storage = stack(["telemetry": false])
            try user.setValue(true, forKey: "telemetry")
            storage.lock("telemetry", at: "defaults")
            let reader = ConfigReader(provider: LayeredPrefsProvider(storage))
            #expect(reader.bool(forKey: "telemetry") == false)
        }
    }
#endif
