/// A rejection of a file's newest contents, or of some values in them. The active ones stay instead.
struct ModelRejectedFile: Sendable, Hashable {
    /// The newest contents, which identify the revision; `nil` if the file is gone.
    let newest: [String: ModelValue]?
    /// The active values that stay; `nil` if the whole file stays as it is.
    private(set) var values: [ModelKeptValue]?
    private(set) var problems: [ModelProblem]

    init(newest: [String: ModelValue]?, values: [ModelKeptValue]? = nil, problems: [ModelProblem] = []) {
        (self.newest, self.values, self.problems) = (newest, values, problems)
    }

    /// True if the whole revision is rejected, and not only some of its values.
    var isWhole: Bool { values == nil }

    func keeps(_ path: ModelPath) -> Bool { values?.contains { $0.path.covers(path) } ?? true }

    mutating func keep(_ value: ModelKeptValue) {
        if keeps(value.path) { return }
        values = (values ?? []).filter { !value.path.covers($0.path) } + [value]
    }

    mutating func add(_ problem: ModelProblem) { problems.append(problem) }

    /// Returns the problems that the rejection before did not report. If only values are rejected, each key
    /// of a revision is reported once.
    fileprivate func newProblems(since before: Self?) -> [ModelProblem] {
        guard let before else { return problems }
        let isSameVersion = newest.isSameTree(as: before.newest)
        if isWhole, !before.isWhole || !isSameVersion { return problems }
        return problems.filter { problem in
            !before.problems.contains {
                $0.isSame(as: problem) || isSameVersion && !isWhole && $0.key == problem.key
            }
        }
    }
}

/// An active value that a file keeps instead of its newest one.
struct ModelKeptValue: Sendable, Hashable {
    let path: ModelPath
    /// `nil` if the file had none.
    let value: ModelValue?
}

extension ModelFile {
    /// Replaces the file's values at some paths by kept ones.
    mutating func keep(_ values: [ModelKeptValue]) {
        if values.isEmpty { return }
        let contents = ModelSource(layer: 0, layerName: "", name: "", entries: lastGood ?? [:], isText: false)
        lastGood =
            values.reduce(contents.tree) { tree, kept in
                let path = kept.path.components
                guard let value = kept.value else { return tree.pruning(at: path) }
                // Below a non-dictionary, the value would not be found.
                return tree.isBlocked(on: path) ? tree : tree.putting(value, at: path)
            }.entries
    }
}

extension [ModelPlace: ModelRejectedFile] {
    /// Returns the reports that are due when these rejections follow others.
    func diagnostics(since old: Self, _ tally: ModelTally) -> [ModelDiagnostic] {
        var found: Set<ModelDiagnostic> = []
        for (place, rejection) in self {
            tally.hit(rejection.isWhole ? .versionIsRejected : .valueIsKept)
            let new = rejection.newProblems(since: old[place])
            if rejection.isWhole, new.count < rejection.problems.count {
                tally.hit(.rejectedVersionIsReportedOnce)
            }
            // Each wrong file reports its own problems. A file without a problem of its own repeats the
            // problems that reject it.
            let isWrong = rejection.problems.contains { $0.isIn(place) }
            for problem in new where !isWrong || problem.isIn(place) || !isReported(problem) {
                found.insert(problem.diagnostic(isVersion: rejection.isWhole))
            }
        }
        let ended = old.problemPlaces(areWhole: true)
            .subtracting(problemPlaces(areWhole: true)).subtracting(problemPlaces(areWhole: false))
        for place in ended {
            tally.hit(.rejectedVersionRecovers)
            found.insert(.versionRecovered(place))
        }
        for (place, rejection) in old where !rejection.isWhole {
            var keys = Set(self[place]?.problems.map(\.key) ?? [])
            for problem in rejection.problems where keys.insert(problem.key).inserted {
                tally.hit(.keptValueRecovers)
                found.insert(.recovered(key: problem.key, problem.origin))
            }
        }
        return Array(found)
    }

    /// Returns true if the file with the problem reports it.
    private func isReported(_ problem: ModelProblem) -> Bool {
        contains { problem.isIn($0) && $1.problems.contains(problem) }
    }

    /// The layers and sources of the problems that reject whole revisions, or only values.
    private func problemPlaces(areWhole: Bool) -> Set<[String]> {
        Set(values.filter { $0.isWhole == areWhole }.flatMap { $0.problems.map(\.reportedPlace) })
    }
}
