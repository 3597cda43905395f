import FoundationEssentials
import LayeredPrefs

extension [InspectionReply.Rejection] {
    /// The rejections without repetitions. Files of a layer that changed together are rejected together.
    package var withoutRepetitions: Self {
        var seen: Set<[InspectionReply.Rejection.Problem]> = []
        return filter { seen.insert($0.problems).inserted }
    }
}

extension InspectionReply.Rejection {
    init?(_ source: PrefsSourceStatus) {
        guard let rejection = source.rejection else { return nil }
        self.init(
            layer: source.layer, file: source.file, since: rejection.since.timeIntervalSince1970,
            problems: rejection.problems.map { error in
                Problem(
                    key: error.key, file: error.origin?.file, line: error.origin?.position?.lineNumber,
                    text: "\(error)")
            }, isRemoval: rejection.isRemoval ? true : nil)
    }

    /// One line for each problem, with the time, in the same words as the process's own messages.
    package var lines: [String] {
        let time = Date(timeIntervalSince1970: since)
        return problems.map {
            PrefsSourceStatus.Rejection.line($0.text, since: time, isRemoval: isRemoval == true)
        }
    }

    /// Returns the rejection with only the problems at, above and below a key. Includes problems without a key if
    /// the source has a value for the key. Returns `nil` if no problem is left.
    func concerning(_ key: String, from places: [PrefsOrigin]) -> Self? {
        var own = self
        own.problems = problems.filter { problem in
            problem.key.map { $0.isAt(key) || key.isAt($0) }
                ?? (layer != nil && places.contains { $0.layer == layer && $0.file == file })
        }
        return own.problems.isEmpty ? nil : own
    }
}

extension InspectionReply.Source {
    init(_ source: PrefsSourceStatus) {
        self.init(
            layer: source.layer, file: source.file, problem: source.problem?.description,
            generation: source.generation, secondsSinceRead: source.age.map { $0 / .seconds(1) },
            engine: source.engine.map { "\($0)" }, isBehind: source.isBehind,
            rejection: InspectionReply.Rejection(source))
    }
}

extension InspectionReply.Declaration {
    init(_ key: PrefsKeyDescription, _ variables: [String]) {
        self.init(
            type: key.storedType.description, documentation: key.documentation,
            limits: key.limits.description, values: key.limits.values?.map(\.plainText),
            condition: key.validation, environment: variables,
            formerNames: key.formerNames, needsRestart: key.needsRestart)
    }
}

extension PrefsExplanation {
    /// The effective value's row; `nil` for the key's own default.
    var winner: Row? { rows.first { $0.role == .winner } }

    /// The reasons of all rejected rows, each with its file and line.
    var rejectedRows: [String] {
        rows.compactMap { row in
            if case .rejected(let error) = row.role { error.description } else { nil }
        }
    }
}

extension SecretPaths {
    /// Returns true if one of a key's values is a secret, is part of a secret, or contains a secret.
    func touch(_ key: String, _ values: [PrefsValue]) -> Bool {
        if isEmpty { return false }
        let path = PrefsPath(key)
        return covers(path) || values.contains { masking($0, at: path) != $0 }
    }
}

extension PrefsPosition {
    fileprivate var lineNumber: Int? { if case .line(let line, _) = self { line } else { nil } }
}
