/// SplitMix64: the same seed gives the same trace everywhere.
struct ModelRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}

/// Generates random traces, weighted so that every rule is covered often.
struct ModelGenerator {
    let world: ModelWorld
    /// The kinds of operations to generate. Leave out the kinds that a subject does not support yet.
    var kinds = Set(ModelOperation.Kind.allCases)
    private var random: ModelRandom
    /// The contents last written, so that edits often repeat or nearly repeat them.
    private var written: [ModelPlace: [String: ModelValue]] = [:]
    /// The locations where locks were written.
    private var locked: [ModelPlace] = []

    init(seed: UInt64, world: ModelWorld, kinds: Set<ModelOperation.Kind> = Set(ModelOperation.Kind.allCases))
    {
        self.world = world
        self.kinds = kinds
        random = ModelRandom(seed: seed)
    }

    /// Generates a start, some files, then `length` operations.
    mutating func trace(length: Int) -> ModelTrace {
        (written, locked) = ([:], [])
        var operations = [restart()]
        for _ in 0..<3 where kinds.contains(.writeFile) { operations.append(writeFile()) }
        // Half of the programs find the first files when they start.
        if random.chance(50) { operations.append(restart()) }
        while operations.count < length + 4 { operations.append(operation()) }
        return ModelTrace(operations: operations)
    }

    private static let weights: [(ModelOperation.Kind, Int)] = [
        (.restart, 2), (.writeFile, 24), (.breakFile, 7), (.deleteFile, 5), (.touchFile, 4),
        (.maskDropIn, 4), (.writeLocks, 8), (.breakLocks, 3), (.deleteLocks, 2), (.burst, 4),
        (.write, 24), (.transaction, 7), (.raiseLock, 4), (.lowerLock, 2),
    ]

    private mutating func operation() -> ModelOperation {
        let choices = Self.weights.filter { kinds.contains($0.0) }
        var left = Int.random(in: 0..<choices.reduce(0) { $0 + $1.1 }, using: &random)
        for (kind, weight) in choices {
            left -= weight
            if left < 0 { return operation(kind) }
        }
        return writeFile()
    }

    private mutating func operation(_ kind: ModelOperation.Kind) -> ModelOperation {
        switch kind {
        case .restart: restart()
        case .writeFile: writeFile()
        case .breakFile: .breakFile(place(), version: Int.random(in: 1...2, using: &random))
        case .deleteFile: deleteFile()
        case .touchFile: .touchFile(random.pick(Array(written.keys.sorted { "\($0)" < "\($1)" }) + [place()]))
        case .maskDropIn: maskDropIn()
        case .writeLocks: writeLocks()
        case .breakLocks: .breakLocks(knownLockPlace(), version: Int.random(in: 1...2, using: &random))
        case .deleteLocks: .deleteLocks(knownLockPlace())
        case .burst: burst()
        case .write: .write(write())
        case .transaction: transaction()
        case .raiseLock: .raiseLock(lockPath(), layer: random.pick(world.layers).name)
        case .lowerLock: .lowerLock(lockPath(), layer: random.pick(world.layers).name)
        }
    }

    // MARK: Files

    private var fileLayers: [ModelLayer] { world.layers.filter { $0.kind == .files } }

    private mutating func place() -> ModelPlace {
        let layer = random.pick(fileLayers)
        let directory = random.pick(layer.directories).name
        let isMain = random.chance(50) || !kinds.contains(.maskDropIn)
        let file = isMain ? ModelPlace.mainFile : random.pick(world.dropInNames)
        return ModelPlace(layer: layer.name, directory: directory, file: file)
    }

    private mutating func lockPlace() -> ModelPlace {
        var place = place()
        place.file = ModelPlace.mainFile
        return place
    }

    private mutating func knownLockPlace() -> ModelPlace {
        locked.isEmpty || random.chance(30) ? lockPlace() : random.pick(locked)
    }

    private mutating func writeLocks() -> ModelOperation {
        let place = lockPlace()
        locked.append(place)
        return .writeLocks(place, lines: lockLines())
    }

    private mutating func writeFile() -> ModelOperation {
        let place = place()
        var contents = written[place] ?? [:]
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where written[place] != nil: break
        case 1...4 where written[place] != nil: contents = edited(contents)
        default: contents = self.contents()
        }
        written[place] = contents
        return .writeFile(place, contents)
    }

    private mutating func deleteFile() -> ModelOperation {
        let places = written.keys.sorted { "\($0)" < "\($1)" }
        let place = places.isEmpty || random.chance(20) ? place() : random.pick(places)
        written[place] = nil
        return .deleteFile(place)
    }

    /// Masks a drop-in, mostly one that a lower directory of the same layer has.
    private mutating func maskDropIn() -> ModelOperation {
        var place = place()
        place.file = random.pick(world.dropInNames)
        if let hidden = maskablePlaces.randomElement(using: &random), random.chance(60) { place = hidden }
        written[place] = nil
        return .maskDropIn(place)
    }

    /// The places above the written drop-ins, where a mask would hide them.
    private var maskablePlaces: [ModelPlace] {
        written.keys.filter { $0.file != ModelPlace.mainFile }.sorted { "\($0)" < "\($1)" }.flatMap { place in
            let directories = fileLayers.first { $0.name == place.layer }?.directories.map(\.name) ?? []
            return directories.drop { $0 != place.directory }.dropFirst().map {
                ModelPlace(layer: place.layer, directory: $0, file: place.file)
            }
        }
    }

    private mutating func burst() -> ModelOperation {
        let count = Int.random(in: 2...4, using: &random)
        return .burst((0..<count).map { _ in random.chance(80) ? writeFile() : deleteFile() })
    }

    private mutating func contents() -> [String: ModelValue] {
        var contents: [String: ModelValue] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &random) { put(into: &contents) }
        return contents
    }

    private mutating func edited(_ contents: [String: ModelValue]) -> [String: ModelValue] {
        var contents = contents
        if random.chance(35), let key = contents.keys.sorted().randomElement(using: &random) {
            contents[key] = nil
        } else {
            put(into: &contents)
        }
        return contents
    }

    /// Adds a key, nested or literal, now and then in both spellings with two values. The key of a struct is
    /// mostly literal, because few of its fields are written.
    private mutating func put(into contents: inout [String: ModelValue]) {
        let path = path()
        let value = value(for: path)
        if random.chance(10) {
            contents = ModelValue.dictionary(contents).putting(value, at: path.components).entries ?? contents
            contents[path.description] = self.value(for: path)
        } else if random.chance(path == "mta.relay" ? 70 : 30)
            || ModelValue.dictionary(contents).isBlocked(on: path.components)
        {
            contents[path.description] = value
        } else {
            contents = ModelValue.dictionary(contents).putting(value, at: path.components).entries ?? contents
        }
    }

    // MARK: Keys and values

    private static let otherPaths: [ModelPath] = [
        "http.tls", "http2", "log", "unknown.deep.key", "unknown.deep", "limits.soft", "limits.open", "pool",
        "http.port.deep", "port", "http.listen", "logLevel",
        "smtp", "mail.host", "smtp.host", "mta", "gateway", "gateway.port", "mta.relay.host",
        "mta.relay.port",
        "mta.relay.tls", "mta.relay.tls.minimum", "mta.relay.labels",
    ]

    private mutating func path() -> ModelPath {
        if random.chance(30) { return random.pick(Self.otherPaths) }
        if random.chance(40) {
            return random.pick([
                "http", "http.port", "http.host", "limits", "log.level", "mta.relay", "mta.relay",
            ])
        }
        return random.pick(world.keys).path
    }

    private mutating func value(for path: ModelPath) -> ModelValue {
        if random.chance(15) { return anyValue() }
        switch path.description {
        case "http": return httpValue()
        case "http.tls": return random.pick([["cert": "a"], ["cert": "a", "key": "b"], [:], "off"])
        case "http2", "log", "unknown.deep", "pool":
            return random.pick([
                ["level": "debug"], ["key": 1], ["min": 5, "max": 3], ["x": ["y": 1]], "off", [:],
            ])
        case "port", "http.listen", "http.port": return random.pick([80, 443, 8080, 0, 70_000, "8080", 1.0])
        case "logLevel", "log.level": return random.pick(["debug", "info", "error", "loud"])
        case "http.port.deep": return 1
        case "mail", "smtp": return random.pick([["host": "m"], ["host": "n", "port": 25], [:], "off"])
        case "mail.host", "smtp.host": return random.pick(["m", "n", 1])
        case "limits":
            return random.pick([["soft": 1], ["hard": 2, "soft": 3], ["open": 5000], ["soft": "x"], [:]])
        case "mta": return random.pick([["relay": relayValue()], ["relay": "off"], "off", [:]])
        case "mta.relay", "gateway": return relayValue()
        case "mta.relay.host": return random.pick(["h", "a", "b", 1])
        case "gateway.port", "mta.relay.port": return random.pick([25, 26, 27, 5000, "x"])
        case "mta.relay.tls": return random.pick([["minimum": "1.3"], ["strict": false], [:], "off"])
        case "mta.relay.tls.minimum": return random.pick(["1.2", "1.3", 1])
        case "mta.relay.labels": return random.pick([["a": 1], ["b": 2], ["a": "x"], [:], "off"])
        case "limits.soft", "limits.open": return random.pick([1, 2, 3, 2000, "x"])
        default: return world.keys.first { $0.path == path }.map { typedValue($0.type) } ?? anyValue()
        }
    }

    /// Some fields of a struct, now and then a wrong one, and rarely something else.
    private mutating func relayValue() -> ModelValue {
        random.pick([
            ["port": 26], ["host": "a"], ["host": "b", "port": 27], ["tls": ["minimum": "1.3"]],
            ["tls": ["strict": false], "labels": ["b": 2]], ["names": ["a", "b"], "port": 26], [:],
            ["port": "x", "host": "a"], ["tls": "off", "port": 26], ["names": ["a", 1]],
            ["labels": ["a": "x"]],
            ["tls": ["strict": 1, "minimum": "1.3"]], ["port": 5000, "host": "b"], ["other": 1], "off",
        ])
    }

    /// All fields of a struct.
    private mutating func wholeRelay() -> ModelValue {
        [
            "host": random.pick(["h", "a", "b"]), "labels": random.pick([["a": 1], ["b": 2], [:]]),
            "names": random.pick([["n"], ["a", "b"]]), "port": random.pick([25, 26, 27, 5000]),
            "tls": ["minimum": random.pick(["1.2", "1.3"]), "strict": random.pick([true, true, false])],
        ]
    }

    private mutating func httpValue() -> ModelValue {
        random.pick([
            ["port": 81], ["host": "h"], ["port": 82, "host": "i"], [:], ["tls": ["cert": "c", "key": "k"]],
            ["tls": "off", "port": 83], ["port": "x"], "off",
        ])
    }

    private mutating func typedValue(_ type: ModelType) -> ModelValue {
        switch type {
        case .string: random.pick(["", "a", "b"])
        case .bool: random.pick([true, false, 1, 0])
        case .integer: random.pick([1, 2, 3, 5, 20, 3.0, "4"])
        case .real: random.pick([0.25, 0.75, 1, 0, 3, -0.0, .real(.nan)])
        case .data: random.pick([.data([1]), .data([1, 2]), "AQ=="])
        case .date: random.pick([.date(0), .date(86_400), "2001-01-02T00:00:00Z"])
        case .array: random.pick([["a"], ["b", "c"], [], ["a", 1]])
        case .dictionary, .any: random.pick([["a": 1], [:]])
        case .structure: relayValue()
        }
    }

    private mutating func anyValue() -> ModelValue {
        random.pick(["text", true, 1, 2.5, .data([7]), .date(1), ["x"], ["x": 1], [:], .integer(1 << 70)])
    }

    // MARK: Start

    private mutating func restart() -> ModelOperation {
        var environment: [String: String] = [:]
        for key in world.keys where random.chance(12) { environment[key.name] = text(key.type) }
        var arguments: [String: String] = [:]
        for key in world.keys where random.chance(6) { arguments[key.name] = text(key.type) }
        if random.chance(10) { arguments["unknown.deep.key"] = "1" }
        return .restart(defaults: contents(), environment: environment, arguments: arguments)
    }

    private mutating func text(_ type: ModelType) -> String {
        if random.chance(10) { return "?" }
        switch type {
        case .string, .any: return random.pick(["", "a", "debug", "loud"])
        case .bool: return random.pick(["true", "off", "1", "0", "yes", "no", "2"])
        case .integer: return random.pick(["1", "5", "9090", "70000", "3.0", "-1"])
        case .real: return random.pick(["0.5", "1", "2", "1e-1"])
        case .data: return random.pick(["AQ==", "AQI=", "*"])
        case .date: return random.pick(["2001-01-02T00:00:00Z", "2001-01-01T01:00:00+01:00", "yesterday"])
        case .array: return random.pick(["", "a", "a,b", "a, b"])
        case .structure:
            return random.pick([
                "{}", #"{"port":26}"#, #"{"tls":{"strict":false}}"#, #"{"port":"x","host":"a"}"#, "[1]",
            ])
        case .dictionary:
            return random.pick(["{}", #"{"port":84}"#, #"{"soft":7,"open":1}"#, #"{"soft":1.5}"#, "[1]"])
        }
    }

    // MARK: Writes and locks

    private mutating func write() -> ModelWrite {
        var path = path()
        let layer: String?
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: layer = nil
        case 8..<14: layer = "overrides"
        case 14..<18: layer = "system"
        default: layer = random.pick(world.layers).name
        }
        var removes = random.chance(25)
        if random.chance(45), let known = pathInFile(of: layer) {
            (path, removes) = (known, random.chance(60))
        }
        var write = ModelWrite(path: path, value: removes ? nil : value(for: path), layer: layer)
        guard let key = world.keys.first(where: { $0.path == path }), random.chance(60) else { return write }
        if case .structure = key.type, write.value != nil { write.value = wholeRelay() }
        // A typed write takes only a value of the key's type.
        let decoded = write.value.map { key.type.decode($0, tally: ModelTally()) }
        guard decoded != .some(nil) else { return write }
        write.value = decoded ?? nil
        write.isTyped = true
        return write
    }

    /// Returns a declared key that the written file probably contains under any of the key's names. Prefers a
    /// key in both spellings or under a former name.
    private mutating func pathInFile(of layer: String?) -> ModelPath? {
        let layer = fileLayers.last { $0.name == layer ?? $0.name }
        guard let layer, let directory = layer.writeDirectory,
            let contents = written[ModelPlace(layer: layer.name, directory: directory)]
        else { return nil }
        func spellings(_ name: ModelPath) -> Int {
            let nested = ModelValue.dictionary(contents).at(name.components) != nil
            guard name.components.count > 1 else { return nested ? 1 : 0 }
            return (contents[name.description] != nil ? 1 : 0) + (nested ? 1 : 0)
        }
        let known = world.keys.filter { $0.names.contains { spellings($0) > 0 } }
        let odd = known.filter { key in
            spellings(key.path) > 1 || key.formerNames.contains { spellings($0) > 0 }
        }
        if !odd.isEmpty, random.chance(60) { return random.pick(odd).path }
        return known.isEmpty ? nil : random.pick(known).path
    }

    private mutating func transaction() -> ModelOperation {
        let count = Int.random(in: 2...4, using: &random)
        return .transaction((0..<count).map { _ in write() }, writesOthers: random.chance(40))
    }

    private mutating func lockPath() -> ModelPath {
        random.pick([
            "http", "http.port", "http.port", "http.tls.cert", "http.tls", "port", "log.level", "logLevel",
            "limits.soft",
            "limits", "names", "unknown", "ratio", "pool.min", "http.listen", "mail.host", "smtp.host",
            "mta.relay", "mta.relay.port", "mta.relay.tls", "mta.relay.tls.minimum", "gateway.host", "mta",
        ])
    }

    private mutating func lockLines() -> [String] {
        var lines = ["# locked by policy", ""]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            lines.append(random.chance(20) ? "  \(lockPath())  # why" : lockPath().description)
        }
        return lines
    }
}
