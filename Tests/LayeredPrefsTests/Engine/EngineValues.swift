import FoundationEssentials
import LayeredPrefs

extension ModelValue {
    /// The world's one integer that no `UInt64` holds, and its stand-in in the engine, whose files hold none
    /// such: neither is an `Int`, and both have a `Double`.
    private static let huge = (model: Int128(1) << 70, engine: Int128(1) << 63)

    /// The same value for the engine.
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

    /// The same value as the engine gave it.
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

/// Says in the model's words what the engine says of places and errors.
struct EngineWords: Sendable {
    let files: EngineFiles
    /// The layers that hold text.
    let textLayers: Set<String>

    func origin(_ origin: PrefsOrigin) -> ModelOrigin {
        ModelOrigin(
            layer: origin.layer ?? "", source: files.source(of: origin), name: origin.spelling ?? "",
            spelling: .literal)
    }

    /// The same with the spelling of the name, literal or nested, as it stands at the place that the origin names.
    func spelled(_ origin: PrefsOrigin) -> ModelOrigin {
        var spelled = self.origin(origin)
        if let spelling = files.spelling(of: origin) {
            spelled.spelling = spelling
        } else {
            spelled.name = "\(spelled.name), which does not stand at \(origin)"
        }
        return spelled
    }

    /// What an observer was told, untyped.
    func event(_ observer: ModelObserver, _ change: PrefsChange<PrefsValue?>) -> ModelEvent {
        ModelEvent(
            observer: observer, old: change.old.value.map { ModelValue($0) },
            new: change.new.value.map { ModelValue($0) }, oldOrigin: change.old.origin.map(origin),
            newOrigin: change.new.origin.map(origin))
    }

    /// Adds a write to a transaction, as a typed one where the key is given.
    func add(_ write: ModelWrite, _ key: (any EngineKey)?, to transaction: inout PrefsTransaction) {
        let layer = write.layer.map { PrefsLayer.Name($0) }
        if let key { return key.add(write.value, to: &transaction, in: layer) }
        transaction.setPrefsValue(write.value?.prefsValue, forKey: write.path.description, in: layer)
    }

    /// What became of a write that went through.
    func outcome(_ outcome: PrefsWriteOutcome) -> ModelWriteOutcome {
        switch outcome {
        case .effective: .effective
        case .shadowed(let origin): .shadowed(by: self.origin(origin))
        case .rejected: .rejected
        }
    }

    /// What became of a write that threw; `nil` for an error that no write should meet.
    func refusal(_ error: PrefsError) -> ModelWriteOutcome? {
        switch error.code {
        case .locked: .refusedByLock(layer: error.origin?.layer ?? "")
        case .notWritable: .refusedNotWritable
        case .broken, .syntax, .notARegularFile: .refusedBroken
        case .invalid: .refusedInvalid
        default: nil
        }
    }

    /// Why a candidate of a key was refused: of a path that is barred the origin names what bars it.
    func rejection(_ error: PrefsError, of key: ModelKey) -> ModelRejection {
        let found = ModelPath(error.origin?.spelling ?? "")
        if error.code == .wrongType {
            let bars = key.names.contains { found.isAncestor(of: $0) }
            if bars { return .notADictionary(at: found.description) }
            return textLayers.contains(error.origin?.layer ?? "") ? .unparsableText : .wrongType
        }
        let group = error.reason.split(separator: " ").last.map(String.init) ?? ""
        return error.reason.hasPrefix("group") ? .group(group) : .invalid
    }

    /// The value that two ways of reading agree on; both, where they do not, which no model expects.
    func one(_ first: PrefsValue?, _ second: PrefsValue?) -> ModelValue? {
        if first == second { return first.map { ModelValue($0) } }
        return ["read in two ways": .array([first, second].map { $0.map { ModelValue($0) } ?? "nothing" })]
    }

    /// The diagnostic in the model's words; `nil` for warnings, which the model has none of.
    func diagnostic(_ diagnostic: PrefsDiagnostic, keys: [ModelKey]) throws -> ModelDiagnostic? {
        let (severity, error) = (diagnostic.severity, diagnostic.error)
        guard severity != .warning, let origin = error.origin else { return nil }
        if let key = keys.first(where: { $0.name == error.key }) {
            if severity == .recovered { return .recovered(key: key.name, self.origin(origin)) }
            return .rejected(key: key.name, self.origin(origin), rejection(error, of: key))
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
