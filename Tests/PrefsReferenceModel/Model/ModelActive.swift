extension ModelStack {
    /// Decides which of the newest contents become active in a running program. Returns the reports: each
    /// problem once, and each recovery once.
    ///
    /// - Parameter written: The active contents with the writes of the operation, to which the decision adds
    ///   whatever else is new. `nil` if the program wrote nothing.
    mutating func decide(over written: [ModelLayer]? = nil) -> [ModelDiagnostic] {
        let newest = snapshot(of: layers)
        let isDecided = decided.map { old in
            newest.hasSameValues(as: old.values)
                && zip(layers, old.layers).allSatisfy {
                    $0.hasSameUnits(as: $1) && $0.unreadableLocks == $1.unreadableLocks
                }
        }
        decided = (layers, newest)
        var reports: [ModelDiagnostic] = []
        if mutations.contains(.nothingIsRejected) {
            active = layers
        } else if isDecided != true {
            let decision = ModelDecision(on: self, over: written ?? active)
            let old = rejections
            (active, rejections) = (decision.active, decision.rejections)
            reports = rejections.diagnostics(since: old, tally)
            let accepted = old.filter { $1.isWhole && rejections[$0] == nil }
            if accepted.contains(where: { $1.newest == contents(at: $0) }) {
                tally.hit(.rejectedIsTriedAgain)
            }
        }
        respell()
        return reports
    }

    /// Replaces each active file by its newest revision if both have the same values, so that origins name
    /// the newest spelling.
    private mutating func respell() {
        for layer in layers.indices {
            for place in layers[layer].places {
                guard let newest = layers[layer][place], let file = active[layer][place] else { continue }
                if newest.isSameVersion(as: file) { active[layer][place] = newest }
            }
        }
    }

    /// Returns the contents that become active with some writes, which are stored but not decided on yet.
    ///
    /// A rejected directory that the program writes to becomes active with all its files. A file with kept
    /// values keeps those that the writes do not change. Everything else that is rejected stays rejected.
    func written(to layers: Set<Int>, since before: ModelStack) -> [ModelLayer] {
        var written = active
        for index in layers {
            written[index].held = self.layers[index].held
            guard let place = writtenPlace(of: index), let newest = file(at: place) else { continue }
            let isRejected = isRejected(place)
            if isRejected, mutations.contains(.rejectedVersionIsOverwritten) { continue }
            // A directory is one source, so its other files are decided on together with the written one.
            if isRejected { written[index].takeDirectory(of: place, from: self.layers[index]) }
            let old = before.file(at: place)?.lastGood.source
            let kept = (rejections[place]?.values ?? []).filter { kept in
                let (new, path) = (newest.lastGood.source, kept.path)
                return old?.value(at: path) == new.value(at: path)
                    && !(new.block(above: path) != nil && old?.block(above: path) == nil)
            }
            if !kept.isEmpty { tally.hit(.keptValueStaysOnWrite) }
            written[index][place] = newest
            written[index][place]?.keep(kept)
        }
        return written
    }

    /// Returns the keys, or parts of keys, with problems that writes to some layers have added.
    func problems(ofWritesTo layers: Set<Int>, leadingTo written: [ModelLayer], since before: ModelStack)
        -> [String]
    {
        var (old, new) = (before.snapshot, snapshot(of: written))
        // If a locks file is unreadable, the keys that a write adds are locked, too. Both states get the same
        // locks, so that a lock alone uncovers no problem.
        new.locks = Array(Set(old.locks + new.locks))
        old.locks = new.locks
        // A written value must be acceptable even if it is shadowed.
        let names = layers.map { self.layers[$0].name }
        let problems = new.problems(since: old).filter { !$0.isShadowed || names.contains($0.origin.layer) }
        let wasRejected = layers.compactMap(writtenPlace).contains { before.rejections[$0]?.isWhole == true }
        if wasRejected, problems.isEmpty { tally.hit(.writeMendsVersion) }
        return Set(problems.map(\.key)).sorted()
    }

    /// Returns the stack with the newest revision of the file that takes a write active. A write edits that
    /// revision, even if it is rejected.
    func withNewestVersion(takingThe write: ModelWrite) -> ModelStack {
        guard let index = target(of: write), let place = writtenPlace(of: index), isRejected(place),
            let newest = file(at: place)
        else { return self }
        var stack = self
        stack.active[index][place] = newest
        return stack
    }

    /// Returns true if the newest revision of a file's directory is rejected.
    private func isRejected(_ place: ModelPlace) -> Bool {
        guard rejections.contains(where: { $0.layer == place.layer && $1.isWhole }),
            let index = index(ofLayer: place.layer)
        else { return false }
        return zip(layers[index].directories, active[index].directories).contains {
            $0.name == place.directory && !$0.hasSameFiles(as: $1)
        }
    }

    /// The place of the file that takes a layer's writes; `nil` if the layer has no such file.
    private func writtenPlace(of index: Int) -> ModelPlace? {
        guard layers[index].kind == .files, let directory = layers[index].writeDirectory else { return nil }
        return ModelPlace(layer: layers[index].name, directory: directory)
    }

    /// Returns the height of a file's values. It is one above the layer's locks if they bind the file's
    /// directory.
    func height(of place: ModelPlace) -> Int {
        guard let index = index(ofLayer: place.layer) else { return 0 }
        let directory = layers[index].directories.first { $0.name == place.directory }
        let isAbove =
            directory?.trustsLocks == false && layers[index].directories.contains(where: \.trustsLocks)
        return Self.height(of: index) + (isAbove ? 1 : 0)
    }

    /// Returns the contents of a file's newest revision; `nil` if there is none, or if the file is hidden.
    func contents(at place: ModelPlace) -> [String: ModelValue]? {
        index(ofLayer: place.layer).flatMap { layers[$0].contents(at: place) }
    }

    /// Returns the newest revision of a file.
    private func file(at place: ModelPlace) -> ModelFile? {
        index(ofLayer: place.layer).flatMap { layers[$0][place] }
    }
}

extension ModelLayer {
    /// True if all files of a directory are accepted or rejected together (the scope `.source`); false if
    /// each key is rejected alone (the scope `.key`).
    var isRejectedAsOne: Bool { kind == .files && name != "user" }

    /// Returns true if the directories that are rejected as one have the same files. Files that a mask hides
    /// count, too, because the mask may be rejected.
    fileprivate func hasSameUnits(as other: ModelLayer) -> Bool {
        !isRejectedAsOne || zip(directories, other.directories).allSatisfy { $0.hasSameFiles(as: $1) }
    }

    /// The directories whose locks files cannot be read.
    fileprivate var unreadableLocks: [String] {
        directories.filter { if case .broken = $0.locks.disk { $0.trustsLocks } else { false } }.map(\.name)
    }

    /// The places of the layer's files.
    var places: [ModelPlace] {
        directories.flatMap { directory in
            ([ModelPlace.mainFile] + directory.dropIns.keys.sorted()).map {
                ModelPlace(layer: name, directory: directory.name, file: $0)
            }
        }
    }

    subscript(place: ModelPlace) -> ModelFile? {
        get { directories.first { $0.name == place.directory }?[place.file] }
        set {
            guard let index = directories.firstIndex(where: { $0.name == place.directory }), let newValue
            else { return }
            directories[index][place.file] = newValue
        }
    }

    /// Takes the directory of a file from another state of the layer.
    fileprivate mutating func takeDirectory(of place: ModelPlace, from other: ModelLayer) {
        guard let index = directories.firstIndex(where: { $0.name == place.directory }) else { return }
        directories[index] = other.directories[index]
    }
}

extension ModelDirectory {
    /// Returns true if both have the same revisions of the same files.
    func hasSameFiles(as other: ModelDirectory) -> Bool {
        Set(files).union(other.files).allSatisfy { self[$0].isSameVersion(as: other[$0]) }
    }

    /// The names of the files that are read.
    private var files: [String] {
        [ModelPlace.mainFile] + dropIns.keys.filter { $0.hasSuffix(".plist") && !$0.hasPrefix(".") }
    }
}

extension ModelPlace {
    /// The name of the source: `etc/main`.
    var source: String { "\(directory)/\(file)" }
}

extension [String: ModelValue]? {
    /// Returns true if two revisions of a file have the same values by key path, whatever their spelling.
    func isSameTree(as other: Self) -> Bool {
        self == other || source.tree == other.source.tree
    }

    fileprivate var source: ModelSource {
        ModelSource(layer: 0, layerName: "", name: "", entries: self ?? [:], isText: false)
    }
}
