import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// A minimal writable storage, without a change source.
final class MinimalStorage: PrefsStorage {
    private let content: Lock<[String: PrefsValue]>

    init(_ content: [String: PrefsValue]) { self.content = Lock(content) }

    var snapshot: PrefsSnapshot { PrefsSnapshot(content.withLock { $0 }, keysAreLiteral: true) }

    var isWritable: Bool { true }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        content.withLock { $0[key] = value }
        return .effective
    }
}

/// A dictionary that claims to be persistent, so that a stack writes to it by default.
final class LastingDictionary: PrefsStorage {
    private let dictionary: DictionaryPrefsStorage

    init(_ content: [String: PrefsValue]) { dictionary = DictionaryPrefsStorage(values: content) }

    var snapshot: PrefsSnapshot { dictionary.snapshot }

    var changeSource: PrefsChangeSource? { dictionary.changeSource }

    var isWritable: Bool { true }

    var isPersistent: Bool { true }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try dictionary.setValue(value, forKey: key)
    }
}

/// A read-only view of another storage.
final class ReadOnly: PrefsStorage {
    private let storage: any PrefsStorage

    init(_ storage: any PrefsStorage) { self.storage = storage }

    var snapshot: PrefsSnapshot { storage.snapshot }

    var changeSource: PrefsChangeSource? { storage.changeSource }

    func reload() { storage.reload() }
}

/// A storage with a single defect.
final class BrokenStorage: PrefsStorage {
    enum Defect: String, Sendable {
        case forgetsWrites, losesOthers, throwsItsOwnErrors, keepsStill, notifiesTooEarly,
            isWritableInWordsOnly, keepsWhatIsBelow, losesSiblings, roundsDates, storesBeforeItThrows,
            storesNoneOfSeveral, storesHalfOfSeveral, keepsWhatItStoredFirst, notifiesUnderItsMutex
    }

    private struct OwnError: Error {}

    private let defect: Defect
    private let content: Lock<[String: PrefsValue]>
    private let changes = PrefsChangeSource()

    init(_ defect: Defect, _ content: [String: PrefsValue]) {
        self.defect = defect
        self.content = Lock(content)
    }

    var snapshot: PrefsSnapshot {
        PrefsSnapshot(content.withLock { $0 }, keysAreLiteral: defect != .losesSiblings)
    }

    var changeSource: PrefsChangeSource? { changes }

    var isWritable: Bool { true }

    func setValues(_ values: [String: PrefsValue?]) throws {
        let sorted = values.sorted { $0.key < $1.key }
        switch defect {
        case .storesNoneOfSeveral: break
        case .storesHalfOfSeveral:
            for (key, value) in sorted.prefix(sorted.count / 2) { try setValue(value, forKey: key) }
        default:
            for (key, value) in sorted { try setValue(value, forKey: key) }
        }
    }

    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        var value = value
        switch defect {
        case .roundsDates:
            if case .date(let date)? = value {
                let seconds = date.timeIntervalSinceReferenceDate.rounded()
                value = .date(Date(timeIntervalSinceReferenceDate: seconds))
            }
            content.withLock { $0[key] = value }
        case .storesBeforeItThrows:
            content.withLock { $0[key] = value }
            if value == true { throw PrefsError(.notEncodable, key: key, reason: "not stored") }
        case .keepsWhatItStoredFirst:
            if value == true { throw PrefsError(.notEncodable, key: key, reason: "not stored") }
            content.withLock { $0[key] = value }
        case .losesSiblings:
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            content.withLock { $0[parts[0]] = parts.count > 1 ? value.map { [parts[1]: $0] } : value }
        case .notifiesUnderItsMutex:
            content.withLock { content in
                content[key] = value
                changes.advance()
            }
        case .forgetsWrites: changes.advance()
        case .losesOthers: content.withLock { $0 = value.map { [key: $0] } ?? [:] }
        case .throwsItsOwnErrors: throw OwnError()
        case .keepsStill, .keepsWhatIsBelow, .storesNoneOfSeveral, .storesHalfOfSeveral:
            content.withLock { $0[key] = value }
        case .notifiesTooEarly:
            changes.advance()
            content.withLock { $0[key] = value }
        case .isWritableInWordsOnly: break
        }
        return .effective
    }
}
