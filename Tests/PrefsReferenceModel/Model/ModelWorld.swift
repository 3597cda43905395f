/// The setting of a trace: layers, declared keys, and the raw paths that are observed.
struct ModelWorld: Sendable {
    var layers: [ModelLayer]
    var keys: [ModelKey]
    var groups: [ModelGroup]
    var rawPaths: [ModelPath]
    var environmentPrefix = "MYD_"
    /// The alternative readings adopted where the specification is ambiguous; model and subject follow them.
    var readings: Set<ModelMutation> = []
    /// True if an observer of all keys is registered, which costs the model about as much as all the rest.
    var notifiesLeaves = false
    var dropInNames = ["10-a.plist", "20-b.plist", "9-c.plist", ".30-d.plist", "40-e.conf"]
}

extension ModelWorld {
    /// All layers and locations: the system layer has a vendor directory, `/etc/xdg`, `/run`, and above them
    /// a directory that an environment variable names.
    static let standard = ModelWorld(
        layers: layers(system: [
            ModelDirectory(name: "usr", trustsLocks: true), ModelDirectory(name: "etc", trustsLocks: true),
            ModelDirectory(name: "run", trustsLocks: true), ModelDirectory(name: "extra", trustsLocks: false),
        ]),
        keys: keys, groups: groups, rawPaths: rawPaths)

    /// The same layers with one system directory, for a stack of two files.
    static let plain = ModelWorld(
        layers: layers(system: [ModelDirectory(name: "etc", trustsLocks: true)]),
        keys: keys, groups: groups, rawPaths: rawPaths)

    private static func layers(system: [ModelDirectory]) -> [ModelLayer] {
        [
            ModelLayer(name: "defaults", kind: .memory),
            ModelLayer(
                name: "system", kind: .files, isWritable: true, isPersistent: true, directories: system,
                writeDirectory: "etc"),
            ModelLayer(
                name: "user", kind: .files, isWritable: true, isPersistent: true,
                directories: [ModelDirectory(name: "home", trustsLocks: false)], writeDirectory: "home"),
            ModelLayer(name: "environment", kind: .text),
            ModelLayer(name: "arguments", kind: .text),
            ModelLayer(name: "overrides", kind: .memory, isWritable: true),
        ]
    }

    /// Keys that interact: dictionaries and keys below them, former names, two keys with the same variable.
    static let keys: [ModelKey] = [
        ModelKey(path: "http", type: .dictionary(.any), defaultValue: ["port": 80]),
        ModelKey(
            path: "http.port", type: .integer, defaultValue: 8080, validator: .integers(1...65535),
            formerNames: ["port", "http.listen"]),
        ModelKey(path: "http.host", type: .string, defaultValue: "localhost"),
        ModelKey(path: "http.tls.cert", type: .string, defaultValue: ""),
        ModelKey(path: "http.tls.key", type: .string, defaultValue: "", isSecret: true),
        ModelKey(
            path: "log.level", type: .string, defaultValue: "info",
            validator: .oneOf(["debug", "info", "warning", "error"]), formerNames: ["logLevel"]),
        ModelKey(path: "names", type: .array(.string), defaultValue: ["none"]),
        ModelKey(
            path: "limits", type: .dictionary(.integer), defaultValue: ["open": 16],
            validator: .integers(0...1000), mergesDeeply: true),
        ModelKey(
            path: "mail", type: .dictionary(.any), defaultValue: ["host": "localhost"], formerNames: ["smtp"]),
        ModelKey(
            path: "mta.relay", type: relay,
            defaultValue: [
                "host": "h", "labels": ["a": 1], "names": ["n"], "port": 25,
                "tls": ["minimum": "1.2", "strict": true],
            ], validator: .integers(0...1000), mergesDeeply: true, formerNames: ["gateway"]),
        ModelKey(path: "pool.min", type: .integer, defaultValue: 1),
        ModelKey(path: "pool.max", type: .integer, defaultValue: 10),
        ModelKey(path: "ratio", type: .real, defaultValue: 0.5, validator: .reals(0...1)),
        ModelKey(path: "verbose", type: .bool, defaultValue: false),
        ModelKey(path: "blob", type: .data, defaultValue: .data([])),
        ModelKey(path: "since", type: .date, defaultValue: .date(0)),
        ModelKey(path: "cache.size", type: .integer, defaultValue: 64),
        ModelKey(path: "cacheSize", type: .integer, defaultValue: 32),
    ]

    /// A struct with fields that are scalars, collections and structs.
    static let relay = ModelType.structure([
        "host": .string, "labels": .dictionary(.integer), "names": .array(.string), "port": .integer,
        "tls": .structure(["minimum": .string, "strict": .bool]),
    ])

    static let groups = [
        ModelGroup(name: "pool", keys: ["pool.min", "pool.max"], rule: .ascending),
        ModelGroup(name: "tls", keys: ["http.tls.cert", "http.tls.key"], rule: .allOrNone),
    ]

    static let rawPaths: [ModelPath] = [
        "http", "http.port", "http.tls", "http.tls.cert", "http2", "log", "log.level", "logLevel", "names",
        "limits", "limits.soft", "mta", "mta.relay.tls", "unknown.deep.key",
    ]
}
