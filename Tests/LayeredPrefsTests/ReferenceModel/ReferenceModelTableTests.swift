import Testing

@testable import PrefsReferenceModel

/// The semantics, one sentence per row, each with operations and the expected results, which are worked out
/// by hand.
@Suite struct ReferenceModelTableTests {
    @Test(
        arguments: ModelRow.order + ModelRow.places + ModelRow.keys + ModelRow.keysCorners
            + ModelRow.keysWritten)
    func `the model agrees with the table on order, locations and keys`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.wrongValues + ModelRow.text + ModelRow.groups + ModelRow.badFiles)
    func `the model agrees with the table on rejected values and bad files`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.rejections)
    func `the model agrees with the table on what stays in force`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.writes + ModelRow.locks + ModelRow.locksOverAncestors)
    func `the model agrees with the table on writes and locks`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.structs)
    func `the model agrees with the table on structs`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.changes + ModelRow.audit)
    func `the model agrees with the table on changes`(row: ModelRow) { row.check() }

    @Test(arguments: ModelRow.found)
    func `the model agrees with the table on cases found by random traces`(row: ModelRow) { row.check() }

    @Test func `the table alone detects most mutations`() {
        let rows = ModelRow.all
        #expect(rows.count >= 60)
        let unnoticed = ModelMutation.allCases.filter { mutation in
            rows.allSatisfy { $0.problems(mutation: mutation).isEmpty }
        }
        // Only the replica's own bookkeeping can produce these faults.
        #expect(unnoticed == [.transactionIsSeveralCommits, .diagnosticsRepeat, .recoveryIsSilent])
    }

    @Test(arguments: [
        ("http.readTimeout", "MYD_HTTP_READ_TIMEOUT"), ("log.level", "MYD_LOG_LEVEL"),
        ("cache.size", "MYD_CACHE_SIZE"), ("cacheSize", "MYD_CACHE_SIZE"), ("a-b", "MYD_A_B"),
    ])
    func `a key has one environment name`(key: String, name: String) {
        #expect(ModelEnvironment.name(of: ModelPath(key), prefix: "MYD_") == name)
    }

    @Test(
        arguments: [
            ("1", ModelType.integer, ModelValue.integer(1)), ("-7", .integer, -7), ("3.0", .integer, nil),
            ("many", .integer, nil), ("", .integer, nil), ("9223372036854775808", .integer, nil),
            ("3", .real, 3.0), ("2.5e1", .real, 25.0), ("x", .real, nil), ("yes", .bool, true),
            ("off", .bool, false), ("1", .bool, true), ("0", .bool, false), ("2", .bool, nil),
            ("AQI=", .data, .data([1, 2])), ("AQI", .data, nil), ("*", .data, nil),
            ("2001-01-02T00:00:00Z", .date, .date(86_400)), ("2001-01-01T01:00:00+01:00", .date, .date(0)),
            ("2000-12-31T23:59:59.5Z", .date, .date(-0.5)),
            ("1970-01-01T00:00:00Z", .date, .date(-978_307_200)),
            ("yesterday", .date, nil), ("a, b", .array(.string), ["a", "b"]), ("", .array(.string), []),
            ("1,x", .array(.integer), nil),
            (#"{"a": [1, 2.0, "b"]}"#, .dictionary(.any), ["a": [1, 2.0, "b"]]),
            (#"{"a": null}"#, .dictionary(.any), nil), ("[1]", .dictionary(.any), nil),
            ("plain", .string, "plain"), ("", .string, ""),
        ] as [(String, ModelType, ModelValue?)])
    func `text is parsed by the key's type`(text: String, type: ModelType, value: ModelValue?) {
        #expect(ModelText.parse(text, as: type, tally: ModelTally()) == value)
    }

    @Test(
        arguments: [
            (3, ModelType.real, 3.0), (3.0, .integer, nil), ("8080", .integer, nil), (1, .bool, nil),
            (true, .integer, nil), ("true", .bool, nil), (.integer(1 << 64), .integer, nil),
            (1, .string, nil),
            (["a", 1], .array(.string), nil), (["a": 1], .dictionary(.real), ["a": 1.0]),
            ("2001-01-01T00:00:00Z", .date, nil), ("AQ==", .data, nil), (0, .date, nil),
        ] as [(ModelValue, ModelType, ModelValue?)])
    func `stored forms are not converted`(stored: ModelValue, type: ModelType, value: ModelValue?) {
        #expect(type.decode(stored, tally: ModelTally()) == value)
    }

    @Test func `the value of a secret key is never printed`() {
        var machine = ModelMachine(.standard)
        _ = machine.apply(.writeFile(.user, ["http": ["tls": ["cert": "c", "key": "hush"]]]))
        let lines = machine.snapshot.explain(machine.world.keys.first { $0.name == "http.tls.key" }!)
        #expect(lines.joined().contains("redacted") && !lines.joined().contains("hush"))
    }
}

/// A sentence and its checks.
struct ModelRow: Sendable, CustomTestStringConvertible {
    enum Check: Sendable {
        case typed(String, ModelValue, from: String?)
        case raw(ModelPath, ModelValue?)
        case shadowed(String, [String])
        case rejected(String, [String])
        case lock(String, String?)
        /// The outcomes of the last operation's writes.
        case outcomes([ModelWriteOutcome])
        case shadowedBy(String)
        /// The notifications of the last operation, each as `typed key: old -> new`.
        case events([String])
        /// The keys that the last operation changed in some layer while their effective value stayed the same.
        case audited([String])
        case diagnostics(Int)
        case commits(Bool)
        /// The contents of the main file in a directory.
        case file(ModelPlace, [String: ModelValue])
    }

    let sentence: String
    let operations: [ModelOperation]
    let checks: [Check]

    init(_ sentence: String, _ operations: [ModelOperation], _ checks: Check...) {
        (self.sentence, self.operations, self.checks) = (sentence, operations, checks)
    }

    var testDescription: String { sentence }

    func check() { #expect(problems() == [], "\(sentence)") }

    /// Returns a message for each check that fails.
    func problems(mutation: ModelMutation? = nil) -> [String] {
        var machine = ModelMachine(.standard, mutations: Set([mutation].compactMap(\.self)))
        var step = ModelStep()
        for operation in operations { step = machine.apply(operation) }
        return checks.compactMap { problem($0, machine, step) }
    }

    private func problem(_ check: Check, _ machine: ModelMachine, _ step: ModelStep) -> String? {
        switch check {
        case .typed(let name, let value, let origin):
            let found = machine.answers.typed[name]
            let place = found?.origin.map { "\($0.layer) \($0.source)" }
            return differ("\(value) \(origin ?? "")", "\(found?.value ?? "no key") \(place ?? "")")
        case .raw(let path, let value): return differ(value, machine.snapshot.raw(path).value)
        case .shadowed(let name, let origins):
            return differ(origins, texts(machine.answers.typed[name]?.shadowed))
        case .rejected(let name, let origins):
            return differ(origins, texts(machine.answers.typed[name]?.rejected.keys.map { $0 }).sorted())
        case .lock(let name, let layer): return differ(layer, machine.answers.typed[name]?.lock?.layerName)
        case .outcomes(let outcomes): return differ(outcomes, step.outcomes)
        case .shadowedBy(let place):
            guard case .shadowed(let origin) = step.outcomes.first else { return "\(step.outcomes)" }
            return differ(place, "\(origin.layer) \(origin.source)")
        case .events(let events): return differ(events, (step.changeSet?.events ?? []).map(\.withoutOrigins))
        case .audited(let keys): return differ(keys, step.changeSet?.shadowed ?? [])
        case .diagnostics(let count): return differ(count, step.diagnostics.count)
        case .commits(let commits): return differ(commits, step.changeSet != nil)
        case .file(let place, let contents):
            let layer = machine.stack.layers.first { $0.name == place.layer }
            let directory = layer?.directories.first { $0.name == place.directory }
            return differ(.good(contents), directory?.main.disk)
        }
    }

    private func differ<Found: Equatable>(_ expected: Found, _ found: Found) -> String? {
        expected == found ? nil : "expected \(expected), found \(found)"
    }

    private func texts(_ origins: [ModelOrigin]?) -> [String] {
        (origins ?? []).map { "\($0.layer) \($0.source)" }
    }
}

extension ModelEvent {
    fileprivate var withoutOrigins: String {
        "\(observer): \(old?.description ?? "nil") -> \(new?.description ?? "nil")"
    }
}

extension ModelPlace {
    static let user = ModelPlace(layer: "user", directory: "home")
    static let etc = ModelPlace(layer: "system", directory: "etc")
    static let usr = ModelPlace(layer: "system", directory: "usr")
    static let extra = ModelPlace(layer: "system", directory: "extra")
    static let run = ModelPlace(layer: "system", directory: "run")

    func dropIn(_ name: String) -> ModelPlace { ModelPlace(layer: layer, directory: directory, file: name) }
}

extension ModelOperation {
    static func start(
        _ defaults: [String: ModelValue] = [:], environment: [String: String] = [:],
        arguments: [String: String] = [:]
    ) -> ModelOperation {
        .restart(defaults: defaults, environment: environment, arguments: arguments)
    }

    static func set(_ path: ModelPath, _ value: ModelValue?, in layer: String? = nil, typed: Bool = false)
        -> ModelOperation
    {
        .write(ModelWrite(path: path, value: value, layer: layer, isTyped: typed))
    }
}
