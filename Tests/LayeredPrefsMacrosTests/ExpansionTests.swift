import Testing

/// A schema's source and a part of its expansion, compared without regard to white space.
struct Expansion {
    var source: String
    var part: String

    /// Returns the expansion of a schema's only preference.
    static func member(_ member: String, _ part: String) -> Self {
        Expansion(
            source: "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; \(member) }",
            part: part)
    }
}

@Suite struct ExpansionTests {
    @Test func `declarations expand to the expected code`() throws {
        let expansions = Self.members + Self.classes + Self.whole
        let (verdicts, rest) = try Compiler.verdicts(on: expansions.map(\.source), shared: Self.shared)
        #expect(rest.errors == [])
        for (expansion, verdict) in zip(expansions, verdicts) {
            #expect(verdict.errors == [], "\(expansion.source)")
            #expect(verdict.expanded.contains(expansion.part.words), "\(expansion.source)")
        }
    }

    static let members: [Expansion] = [
        .member("@Pref var a: Int?", #"PrefsExpansion.key("a", optional: (Int).self)"#),
        .member("@Pref var a: Optional<Int>", #"PrefsExpansion.key("a", optional: (Int).self)"#),
        .member("@Pref var a = \"x\"", #"PrefsExpansion.key("a", default: "x")"#),
        .member("@Pref var a = \"x\"", #"PrefsExpansion.cache(like: "x")"#),
        .member(
            "@Pref(key: \"b.c\") var a: Int = 1", #"PrefsExpansion.key("b.c", (Int).self, default: 1)"#),
        .member("@Pref(key: nil) var a: Int = 1", #"PrefsExpansion.key("a", (Int).self, default: 1)"#),
        .member(
            "@Pref(key: Names.a) var a: Int = 1", "PrefsExpansion.key(Names.a, (Int).self, default: 1)"),
        .member(
            "@Pref var `default`: Int = 1", #"PrefsExpansion.key("default", (Int).self, default: 1)"#),
        .member("@Pref var `default`: Int = 1", #"\Prefs.`default`"#),
        .member(
            "@Pref(coding: .urlString) var a: URL?",
            #"PrefsExpansion.key("a", optional: (URL).self, coding: .urlString)"#),
        .member(
            "@Pref(encode: { $0.x }, decode: { X($0) }) var a: X?",
            #"optional: (X).self, coding: LayeredPrefs.ClosurePrefsCoding(encode: { $0.x }, decode: { X($0) }))"#
        ),
        .member(
            "@RawRepresentablePref var a: Fruit?",
            #"key("a", optional: (Fruit).self, coding: LayeredPrefs.RawRepresentablePrefsCoding<Fruit>())"#
        ),
        .member(
            "@JSONDataCodablePref var a: Device = Device()",
            #"(Device).self, default: Device(), coding: LayeredPrefs.JSONDataCodablePrefsCoding<Device>())"#),
        .member(
            "@JSONStringCodablePref var a: Device?",
            "coding: LayeredPrefs.JSONStringCodablePrefsCoding<Device>()"),
        .member("@RawPref var a: [Any] = [1]", "as: ([Any]).self, from: Prefs._$pref_a, of: self) ?? ([1])"),
        .member("@RawPref var a: [Any]?", #"PrefsExpansion.rawKey("a")"#),
        .member("@Pref(in: 1...2) var a: Int = 1", "options.limit(to: 1...2)"),
        .member("@Pref(validate: isGood) var a: Int = 1", "options.check(nil, isGood)"),
        .member("@Pref(validate: isGood) var a: Int?", "options.checkWrapped(nil, isGood)"),
        .member(
            #"@Pref(validate: isGood, condition: "a good one") var a: Int = 1"#,
            #"options.check("a good one", isGood)"#),
        .member("@Pref(secret: true) var a: Int?", "options.isSecret = true"),
        .member("@Pref(env: \"A\") var a: Int?", #"options.environmentName = "A""#),
        .member("@Pref(formerly: \"b\", \"c\") var a: Int?", #"options.formerNames = ["b", "c"]"#),
        .member("@Pref(merge: .deep) var a: [String: Int] = [:]", "options.merge = .deep"),
        .member("@Pref(needsRestart: true) var a: Int?", "options.needsRestart = true"),
        .member("@Pref(debugOnly: true) var a: Int?", "options.isDebugOnly = true"),
        .member(
            "@Pref(debugOnly: true, releaseValue: 1) var a: Double = 2",
            "options.isDebugOnly = true options.releaseValue = 1"),
        .member(
            "\n/// One.\n///\n/// Two.\n@Pref var a: Int?", #"options.documentation = "One.\n\nTwo.""#),
        .member("\n/** One. */\n@Pref var a: Int?", #"options.documentation = "One.""#),
        .member("@PrefGroup var http: HTTP", #"PrefsExpansion.LazyGroup<HTTP>("http")"#),
        .member("@PrefGroup(key: \"a.b\") var http: HTTP", #"keys(of: (HTTP).self, under: "a.b")"#),
        .member("@MainActor @Pref var a: Int?", "private nonisolated var _$stand_a: Void { () }"),
        .member(
            "@PrefGroup var http: HTTP",
            #"let `http` = LayeredPrefs.PrefsExpansion.groupKeys(of: (HTTP).self"#),
        .member("@Pref private var a: Int?", "fileprivate let `a` = Prefs._$pref_a"),
        .member("@Pref public private(set) var a: Int?", "public let `a` = Prefs._$pref_a"),
        .member("let a = Helper()", "PrefsExpansion.requireSendable(self.`a`)"),
    ]

    static let classes: [Expansion] = [
        Expansion(
            source: "@MainActor @PrefsSchema final class P { @Storage var storage = .dictionary }",
            part: "extension P: @MainActor LayeredPrefs.PrefsDeclaring, @MainActor LayeredPrefs.PrefsSchema"),
        Expansion(
            source: "@MainActor @PrefsSchema final class P { @Storage var storage = .dictionary }",
            part: "nonisolated static let keys"),
        Expansion(
            source: "@PrefsSchema public final class P { @Storage var storage = .dictionary }",
            part: "public static let keys"),
        Expansion(
            source: """
                @PrefsSchema final class P<T: LayeredPrefs.PrefsStorageValue> {
                    @Storage var storage = .dictionary
                    @Pref var a: T?
                }
                """,
            part: "private static var _$pref_a: LayeredPrefs.PrefsExpansion.Property<P, T?>"),
        Expansion(
            source: "@MainActor @PrefsGroup final class P { @Pref var a: Int? }",
            part: "extension P: nonisolated LayeredPrefs.PrefsDeclaring, nonisolated LayeredPrefs.PrefsGroup"),
        Expansion(
            source: "@PrefsGroup final class P { @Pref var a: Int? }",
            part: "init(_ location: LayeredPrefs.PrefsExpansion.GroupLocation) { _$location = location }"),
    ]

    /// All the code that a schema with one preference expands to.
    static let whole: [Expansion] = [
        """
        private let _$observationRegistrar = Observation.ObservationRegistrar()

        private let _$prefs = LayeredPrefs.PrefsExpansion.SchemaState()

        typealias Storage<Value: LayeredPrefs.PrefsStorage> = LayeredPrefs.PrefsStorageWrapper<Value, PropertyKeys>

        func _$snapshotReads() -> LayeredPrefs.PrefsExpansion.SnapshotReads? {
            _$prefs.snapshotReads(of: Prefs.keys, bind: _$bind)
        }

        private static let _$properties: [LayeredPrefs.PrefsExpansion.AnyProperty<Prefs>] = [
            Prefs._$pref_bar,
        ]

        static let keys: [LayeredPrefs.PrefsKeyDescription] = LayeredPrefs.PrefsExpansion.joined([
            [Prefs._$pref_bar.description],
        ] as [[LayeredPrefs.PrefsKeyDescription]])

        nonisolated struct PropertyKeys: LayeredPrefs.PrefsExpansion.PropertyKeys {
            init() {}
            static var all: [LayeredPrefs.PrefsKeyDescription] { Prefs.keys }
            let `bar` = Prefs._$pref_bar
        }

        private func _$bind() {
            let notifyObservers = LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
                guard let self else { return }
                self._$prefs.notifyObservers(Prefs._$properties, of: self, by: self._$observationRegistrar)
            }
            _storage._whenReplaced(LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
                self?._$bind()
            })
            _$prefs.bind(to: storage, declaring: Prefs.keys, notifyObservers: notifyObservers)
        }

        internal nonisolated func access<Member>(keyPath: KeyPath<Prefs, Member>) {
            _$observationRegistrar.access(self, keyPath: keyPath)
        }

        internal nonisolated func withMutation<Member, MutationResult>(
            keyPath: KeyPath<Prefs, Member>,
            _ mutation: () throws -> MutationResult
        ) rethrows -> MutationResult {
            try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
        }
        """,
        """
        extension Prefs: nonisolated Observation.Observable {}

        extension Prefs: LayeredPrefs.PrefsDeclaring, LayeredPrefs.PrefsSchema {}

        extension Prefs: @unchecked Sendable {}
        """,
        #"""
        private let _$cache_bar = LayeredPrefs.PrefsExpansion.cache(of: (Int).self)

        private static let _$path_bar = \Prefs.`bar`

        private static let _$pref_bar: LayeredPrefs.PrefsExpansion.Property<Prefs, Int> = LayeredPrefs.PrefsExpansion.property(
            Prefs._$path_bar,
            LayeredPrefs.PrefsExpansion.key("bar", (Int).self, default: 123)
        ) { options in
            options.swiftType = "Int"
        }
        """#,
        """
        {
        get {
            _$observationRegistrar.access(self, keyPath: Prefs._$path_bar)
            return _$cache_bar.value(at: _$prefs.generation)
                ?? _$cache_bar.fill(Prefs._$pref_bar, from: _$prefs, bind: _$bind)
        }
        set {
            _$prefs.write(
                newValue, to: Prefs._$pref_bar, of: self, by: _$observationRegistrar, bind: _$bind)
        }
        _modify {
            _$observationRegistrar.access(self, keyPath: Prefs._$path_bar)
            let before = _$cache_bar.value(at: _$prefs.generation)
                ?? _$cache_bar.fill(Prefs._$pref_bar, from: _$prefs, bind: _$bind)
            var after = before
            defer {
                _$prefs.change(
                    from: before, to: after, of: Prefs._$pref_bar, in: self,
                    by: _$observationRegistrar, bind: _$bind)
            }
            yield &after
        }
        }
        """,
    ].map { .member("@Pref var bar: Int = 123", $0) }

    private static let shared = """
        enum Names { static let a = "a" }
        struct X: Sendable { var x = ""; init(_ x: String) { self.x = x } }
        enum Fruit: String { case apple }
        struct Device: Codable, Sendable { var name = "" }
        @Sendable func isGood(_ value: Int) -> Bool { value > 0 }
        final class Helper: Sendable {}
        @PrefsGroup final class HTTP { @Pref var port: Int = 80 }
        """
}
