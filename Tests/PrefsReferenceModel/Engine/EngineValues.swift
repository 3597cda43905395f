import FoundationEssentials
import LayeredPrefs

extension ModelValue {
    /// The world's one integer that does not fit in `UInt64`, and its substitute in the engine, whose files
    /// cannot hold such integers. Neither fits in `Int`, and both convert to `Double`.
    private static let huge = (model: Int128(1) << 70, engine: Int128(1) << 63)

    /// The same value in the engine's type.
    var prefsValue: PrefsValue {
        switch self {
        case .string(let value): .string(value)
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value == Self.huge.model ? Self.huge.engine : value)
        case .real(let value): .real(value)
        case .data(let value): .data(Data(value))
        case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
        case .array(let elements): .array(elements.map(\.prefsValue))
        case .dictionary(let entries): .dictionary(entries.mapValues(\.prefsValue))
        }
    }

    /// Creates the model's value for a value of the engine.
    init(_ value: PrefsValue) {
        self =
            switch value {
            case .string(let value): .string(value)
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value == Self.huge.engine ? Self.huge.model : value)
            case .real(let value): .real(value)
            case .data(let value): .data(Array(value))
            case .date(let value): .date(value.timeIntervalSinceReferenceDate)
            case .array(let elements): .array(elements.map { ModelValue($0) })
            case .dictionary(let content): .dictionary(content.mapValues { ModelValue($0) })
            }
    }
}

/// Translates the engine's origins and errors into the model's terms.
struct EngineWords: Sendable {
    let files: EngineFiles
    /// The layers that hold text.
    let textLayers: Set<String>

    func origin(_ origin: PrefsOrigin) -> ModelOrigin {
        ModelOrigin(
            layer: origin.layer ?? "", source: files.source(of: origin), name: origin.spelling ?? "",
            spelling: .literal)
    }

    /// Returns the same origin with the key's spelling, literal or nested, in the line that the origin names.
    func spelled(_ origin: PrefsOrigin) -> ModelOrigin {
        var spelled = self.origin(origin)
        if let spelling = files.spelling(of: origin) {
            spelled.spelling = spelling
        } else {
            spelled.name = "\(spelled.name), which is not at \(origin)"
        }
        return spelled
    }

    /// Returns the model's event for an untyped change.
    func event(
        _ observer: ModelObserver, from old: PrefsResolution<PrefsValue?>,
        to new: PrefsResolution<PrefsValue?>
    ) -> ModelEvent {
        ModelEvent(
            observer: observer, old: old.value.map { ModelValue($0) }, new: new.value.map { ModelValue($0) },
            oldOrigin: old.origin.map(origin), newOrigin: new.origin.map(origin))
    }

    /// Adds a write to a transaction: a typed write if there is a key.
    func add(_ write: ModelWrite, _ key: (any EngineKey)?, to transaction: inout PrefsTransaction) {
        let layer = write.layer.map { PrefsLayer.Name($0) }
        if let key { return key.add(write.value, to: &transaction, in: layer) }
        transaction.setValue(write.value?.prefsValue, forKey: write.path.description, in: layer)
    }

    /// Returns the model's outcome of a successful write.
    func outcome(_ outcome: PrefsWriteOutcome) -> ModelWriteOutcome {
        switch outcome {
        case .effective: .effective
        case .shadowed(let origin): .shadowed(by: self.origin(origin))
        case .notStored: .rejectedNotWritable
        }
    }

    /// Returns the model's outcome of a write that threw; `nil` for an error that no write should throw.
    func rejection(_ error: PrefsError) -> ModelWriteOutcome? {
        switch error.code {
        case .locked: .rejectedByLock(layer: error.origin?.layer ?? "")
        case .notWritable: .rejectedNotWritable
        case .broken, .syntax, .notARegularFile: .rejectedBroken
        case .invalid, .wrongType: .rejected(names(in: error.problems))
        default: nil
        }
    }

    /// Returns the keys, or parts of keys, that some errors name.
    func names(in errors: [PrefsError]) -> [String] {
        Set(errors.compactMap { $0.key.map { String($0.prefix { $0 != "[" }) } }).sorted()
    }

    /// Returns the reason why the engine rejected a candidate of a key. If the candidate's path is blocked,
    /// the origin names the value that blocks it.
    func rejection(_ error: PrefsError, of key: ModelKey) -> ModelRejection {
        let found = ModelPath(error.origin?.spelling ?? "")
        if error.code == .wrongType {
            let bars = key.names.contains { found.isAncestor(of: $0) }
            if bars { return .notADictionary(at: found.description) }
            return textLayers.contains(error.origin?.layer ?? "") ? .unparsableText : .wrongType
        }
        return .invalid
    }

    /// Returns the key that an error names and, for a struct, the path of the wrong part.
    private func key(of error: PrefsError, among keys: [ModelKey]) -> (ModelKey, [String])? {
        if let key = keys.first(where: { $0.name == error.key }) { return (key, []) }
        for key in keys {
            if case .structure = key.type, let part = part(of: error, in: key) { return (key, part) }
        }
        return nil
    }

    /// Returns the path of the part of a struct that an error names; `nil` if it names another key.
    func part(of error: PrefsError, in key: ModelKey) -> [String]? {
        guard let name = error.key?.prefix(while: { $0 != "[" }), name.hasPrefix(key.name + ".") else {
            return nil
        }
        return name.dropFirst(key.name.count + 1).split(separator: ".").map(String.init)
    }

    /// Returns the value that two ways of reading agree on. If they differ, returns both, which the model
    /// never expects.
    func one(_ first: PrefsValue?, _ second: PrefsValue?) -> ModelValue? {
        if first == second { return first.map { ModelValue($0) } }
        return ["read in two ways": .array([first, second].map { $0.map { ModelValue($0) } ?? "nothing" })]
    }

    /// Returns the model's diagnostic for a rejection, for its recovery, or for a violated constraint.
    private func rejected(
        _ diagnostic: PrefsDiagnostic, _ origin: PrefsOrigin, _ keys: [ModelKey]
    ) -> ModelDiagnostic? {
        var (error, source) = (diagnostic.error, self.origin(origin))
        // The model does not list the other files that keep their active revisions.
        if let others = error.reason.firstRange(of: "; keeping the previous version, also of ") {
            error.reason.replaceSubrange(others.lowerBound..., with: "; keeping the previous version")
        }
        if origin.file == nil { source.source = "" }
        if error.key == nil, error.reason == "now using the new version" {
            return .versionRecovered([source.layer, source.source])
        }
        let isGroup = error.key?.contains(", ") == true
        if isGroup, diagnostic.severity == .recovered {
            let isAccepted = error.reason == "now using the new value"
            return isAccepted
                ? .recovered(key: error.key ?? "", source) : .satisfied(keys: error.key ?? "")
        }
        for (suffix, isVersion) in [
            ("; keeping the previous version", true), ("; keeping the previous value", false),
        ]
        where error.reason.hasSuffix(suffix) {
            error.reason.removeLast(suffix.count)
            if isGroup {
                let name = error.reason.split(separator: " ").last.map(String.init) ?? ""
                return .rejected(key: error.key ?? "", source, .group(name), isVersion: isVersion)
            }
            guard let (key, part) = self.key(of: error, among: keys) else { return nil }
            let name = key.path.appending(part).description
            return .rejected(key: name, self.origin(origin), rejection(error, of: key), isVersion: isVersion)
        }
        return isGroup ? .violated(keys: error.key ?? "") : nil
    }

    /// Returns the diagnostic in the model's terms; `nil` for warnings, which the model does not have.
    func diagnostic(_ diagnostic: PrefsDiagnostic, keys: [ModelKey]) throws -> ModelDiagnostic? {
        let (severity, error) = (diagnostic.severity, diagnostic.error)
        guard severity != .warning, let origin = error.origin else { return nil }
        if let rejected = rejected(diagnostic, origin, keys) { return rejected }
        if let (key, part) = self.key(of: error, among: keys) {
            let name = key.path.appending(part).description
            if severity == .recovered { return .recovered(key: name, self.origin(origin)) }
            return .ignored(key: name, self.origin(origin), rejection(error, of: key))
        }
        guard let (place, isLocks) = origin.file.flatMap({ files.place(at: $0) }) else { throw error }
        return switch (severity, isLocks) {
        case (.recovered, false): .fileRecovered(place)
        case (.recovered, true): .locksRecovered(place)
        case (_, false): .brokenFile(place)
        case (_, true): .brokenLocks(place)
        }
    }
}
