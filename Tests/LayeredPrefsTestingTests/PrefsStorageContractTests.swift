import LayeredPrefs
import LayeredPrefsTesting
import LayeredPrefsUserDefaults
import TestSupport
import Testing

/// Every storage of the package, and a storage as a third party would write it.
enum ContractSubject: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case dictionary, anyDictionary, xmlFile, binaryFile, jsonFile, anyFile, system, dropIn, environment,
        arguments
    case stack, fileStack, standardStack, nestedStack, minimal, userDefaults

    var testDescription: String { rawValue }

    func make(_ content: [String: PrefsValue]) async throws -> PrefsStorageSubject {
        var subject = try await makeSubject(content)
        switch self {
        case .dictionary, .anyDictionary, .minimal, .stack, .userDefaults: subject.keysAreLiteral = true
        case .xmlFile, .anyFile, .system, .standardStack, .fileStack, .nestedStack: subject.roundsDates = true
        default: break
        }
        return subject
    }

    private func makeSubject(_ content: [String: PrefsValue]) async throws -> PrefsStorageSubject {
        switch self {
        case .dictionary: PrefsStorageSubject(DictionaryPrefsStorage(values: content))
        case .anyDictionary:
            PrefsStorageSubject(ErasedStorage(DictionaryPrefsStorage(values: content)))
        case .xmlFile: try file(.xmlPropertyList, content) { $0 }
        case .binaryFile: try file(.binaryPropertyList, content) { $0 }
        case .jsonFile: try file(.json, content) { $0 }
        case .anyFile: try file(.xmlPropertyList, content) { ErasedStorage($0) }
        case .fileStack:
            try file(.xmlPropertyList, content) { file in
                PrefsStack { PrefsLayer(.user, file) }
            }
        case .nestedStack:
            try file(.xmlPropertyList, content) { file in
                PrefsStack {
                    PrefsLayer("site", PrefsStack { PrefsLayer(.user, file) })
                }
            }
        case .stack: stack(content)
        case .system, .dropIn, .standardStack: try files(content)
        case .environment, .arguments: PrefsStorageSubject(text(content))
        case .minimal: PrefsStorageSubject(MinimalStorage(content))
        case .userDefaults: try defaults(content)
        }
    }

    private func file(
        _ format: PrefsFileFormat, _ content: [String: PrefsValue],
        _ wrap: @escaping @Sendable (FilePrefsStorage) -> any PrefsStorage
    ) throws -> PrefsStorageSubject {
        let sandbox = try PrefsSandbox()
        var options = FilePrefsStorage.Options()
        options.format = format
        let write = { @Sendable (content: [String: PrefsValue]) in
            try sandbox.write(bytes: format.serialize(content), to: sandbox.user)
        }
        try write(content)
        let open = { @Sendable [options] in wrap(FilePrefsStorage(path: sandbox.user, options: options)) }
        return PrefsStorageSubject(open(), place: sandbox, reopen: open, edit: write)
    }

    private func stack(_ content: [String: PrefsValue]) -> PrefsStorageSubject {
        let dictionary = LastingDictionary(content)
        let open = { @Sendable in
            PrefsStack {
                PrefsLayer.defaults(["other": "default"])
                PrefsLayer(.user, dictionary)
                PrefsLayer.overrides
            }
        }
        return PrefsStorageSubject(open(), reopen: open)
    }

    /// Returns the system files or, for `standardStack`, all layers. The contents are in the administrator's
    /// file, in a drop-in or, for `standardStack`, in the user's file.
    private func files(_ content: [String: PrefsValue]) throws -> PrefsStorageSubject {
        let sandbox = try PrefsSandbox()
        let path: String
        switch self {
        case .dropIn: path = "\(sandbox.administrator).d/50-it.plist"
        case .system: path = sandbox.administrator
        default: path = sandbox.user
        }
        let isStack = self == .standardStack
        let open = { @Sendable () -> any PrefsStorage in
            isStack ? sandbox.standard() : SystemPrefsStorage(locations: sandbox.locations.system)
        }
        let edit = { @Sendable (content: [String: PrefsValue]) in try sandbox.write(content, to: path) }
        try edit(content)
        guard self == .dropIn else {
            return PrefsStorageSubject(open(), place: sandbox, reopen: open, edit: edit)
        }
        // A drop-in shadows writes to the main file, so the storage is only read.
        return PrefsStorageSubject(ReadOnly(open()), place: sandbox, edit: edit)
    }

    private func text(_ content: [String: PrefsValue]) -> any PrefsStorage {
        let texts = content.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        guard self == .environment else {
            return ArgumentsPrefsStorage(texts.flatMap { ["--set", "\($0.key)=\($0.value)"] })
        }
        let variables = texts.map { ("MYD_\($0.key.uppercased())", $0.value) }
        return EnvironmentPrefsStorage(
            prefix: "MYD_", environment: Dictionary(uniqueKeysWithValues: variables))
    }

    private func defaults(_ content: [String: PrefsValue]) throws -> PrefsStorageSubject {
        let place = DefaultsSuite()
        let open = { @Sendable () throws -> any PrefsStorage in
            UserDefaultsPrefsStorage(suite: place.defaults)
        }
        let storage = try open()
        for (key, value) in content { try storage.setValue(value, forKey: key) }
        return PrefsStorageSubject(storage, place: place, reopen: open)
    }
}

@Suite("Storage contract") struct PrefsStorageContractTests {
    @Test(arguments: ContractSubject.allCases, PrefsStorageContract.checks)
    func `every storage satisfies the contract`(
        _ subject: ContractSubject, _ check: PrefsStorageContract.Check
    ) async throws {
        guard subject == .userDefaults else { return try await check.run(subject.make) }
        try await DefaultsSuite.withoutSaving { try await check.run(subject.make) }
    }

    @Test(
        arguments: [
            (.forgetsWrites, "a write can be read back immediately, or throws and changes nothing"),
            (.losesOthers, "writing or removing one key does not affect the others"),
            (.throwsItsOwnErrors, "a write can be read back immediately, or throws and changes nothing"),
            (.keepsStill, "an observer is notified of a change after the new contents are readable"),
            (.notifiesTooEarly, "an observer is notified of a change after the new contents are readable"),
            (.isWritableInWordsOnly, "a write can be read back immediately, or throws and changes nothing"),
            (.storesBeforeItThrows, "a write can be read back immediately, or throws and changes nothing"),
            (.keepsWhatIsBelow, "a write to a path replaces everything at and below it"),
            (.losesSiblings, "a write below a stored dictionary keeps its other values"),
            (.roundsDates, "a date keeps its fraction of a second"),
            (.storesNoneOfSeveral, "several values are stored and removed together"),
            (.storesHalfOfSeveral, "several values are stored and removed together"),
            (.keepsWhatItStoredFirst, "if one of several values cannot be stored, none is"),
            (
                .notifiesUnderItsMutex,
                "an observer is notified of a change after the new contents are readable"
            ),
            (.notifiesUnderItsMutex, "an observer of a key is notified of its change"),
            (.notifiesUnderItsMutex, "an observer may read, observe, cancel and write"),
        ] as [(BrokenStorage.Defect, String)])
    func `a storage that violates a rule is detected`(_ defect: BrokenStorage.Defect, rule: String)
        async throws
    {
        let check = try #require(PrefsStorageContract.checks.first { $0.id == rule })
        let violation = await #expect(throws: PrefsStorageViolation.self) {
            try await check.run(within: .milliseconds(50)) { PrefsStorageSubject(BrokenStorage(defect, $0)) }
        }
        #expect(violation?.rule == rule)
    }

    @Test func `the rules are unique`() {
        #expect(Set(PrefsStorageContract.checks.map(\.id)).count == PrefsStorageContract.checks.count)
    }
}
