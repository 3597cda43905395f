extension ModelStack {
    /// Decides what of the newest contents becomes active in a running program, and returns what it reports: each problem
    /// once, and its recovery once.
    ///
    /// - Parameter written: What is active once the writes of the operation are, whatever else is new.
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

    /// Takes the spelling of the newest version of each file that has the same contents.
    private mutating func respell() {
        for layer in layers.indices {
            for place in layers[layer].places {
                guard let newest = layers[layer][place], let file = active[layer][place] else { continue }
                if newest.isSameVersion(as: file) { active[layer][place] = newest }
            }
        }
    }

    /// Returns what is active once some writes to layers are, which are stored but not decided on.
    ///
    /// What is rejected stays rejected, except in the files that are written, and there only at the paths that are.
    func written(to layers: Set<Int>, since before: ModelStack) -> [ModelLayer] {
        var written = active
        for index in layers {
            written[index].held = self.layers[index].held
            guard let place = writtenPlace(of: index), let newest = file(at: place) else { continue }
            let isRejected = isRejected(place)
            if isRejected, mutations.contains(.rejectedVersionIsOverwritten) { continue }
            // The directory's other files decide as well whether what is written becomes active.
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

    /// Returns the keys, or parts of keys, whose values are wrong after some writes to layers, although they were not before.
    func problems(ofWritesTo layers: Set<Int>, leadingTo written: [ModelLayer], since before: ModelStack)
        -> [String]
    {
        var (old, new) = (before.snapshot, snapshot(of: written))
        // The keys that a write adds are locked, too, if the locks cannot be read; locks uncover nothing new.
        new.locks = Array(Set(old.locks + new.locks))
        old.locks = new.locks
        // What is written has to be acceptable even where it is shadowed.
        let names = layers.map { self.layers[$0].name }
        let problems = new.problems(since: old).filter { !$0.isShadowed || names.contains($0.origin.layer) }
        let wasRejected = layers.compactMap(writtenPlace).contains { before.rejections[$0]?.isWhole == true }
        if wasRejected, problems.isEmpty { tally.hit(.writeMendsVersion) }
        return Set(problems.map(\.key)).sorted()
    }

    /// The same stack with the newest version of the file that takes a write, which is what is edited.
    func withNewestVersion(takingThe write: ModelWrite) -> ModelStack {
        guard let index = target(of: write), let place = writtenPlace(of: index), isRejected(place),
            let newest = file(at: place)
        else { return self }
        var stack = self
        stack.active[index][place] = newest
        return stack
    }

    /// Returns true if the newest version of a file, or of another one of its directory, is rejected.
    private func isRejected(_ place: ModelPlace) -> Bool {
        guard rejections.contains(where: { $0.layer == place.layer && $1.isWhole }),
            let index = index(ofLayer: place.layer)
        else { return false }
        return zip(layers[index].directories, active[index].directories).contains {
            $0.name == place.directory && !$0.hasSameFiles(as: $1)
        }
    }

    /// The place of the file that takes a layer's writes; `nil` if it has none.
    private func writtenPlace(of index: Int) -> ModelPlace? {
        guard layers[index].kind == .files, let directory = layers[index].writeDirectory else { return nil }
        return ModelPlace(layer: layers[index].name, directory: directory)
    }

    /// The height of a file's values, above that of its layer's locks if they do not apply to the file's directory.
    func height(of place: ModelPlace) -> Int {
        guard let index = index(ofLayer: place.layer) else { return 0 }
        let directory = layers[index].directories.first { $0.name == place.directory }
        let isAbove =
            directory?.trustsLocks == false && layers[index].directories.contains(where: \.trustsLocks)
        return Self.height(of: index) + (isAbove ? 1 : 0)
    }

    /// Returns what a file contributes in its newest version.
    func contents(at place: ModelPlace) -> [String: ModelValue]? {
        index(ofLayer: place.layer).flatMap { layers[$0].contents(at: place) }
    }

    /// Returns the newest version of a file.
    private func file(at place: ModelPlace) -> ModelFile? {
        index(ofLayer: place.layer).flatMap { layers[$0][place] }
    }
}

extension ModelLayer {
    /// True if the files of a directory are accepted or rejected together; otherwise each value is on its own.
    var isRejectedAsOne: Bool { kind == .files && name != "user" }

    /// Returns true if the directories that are rejected as one have the same files, those included that a mask hides: it
    /// may be rejected.
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

    /// Takes the directory of a file from another version of the layer.
    fileprivate mutating func takeDirectory(of place: ModelPlace, from other: ModelLayer) {
        guard let index = directories.firstIndex(where: { $0.name == place.directory }) else { return }
        directories[index] = other.directories[index]
    }
}

extension ModelDirectory {
    /// Returns true if both have the same files in the same versions.
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
    /// Returns true if two versions of a file have the same values by key path, however it spells them.
    func isSameTree(as other: Self) -> Bool {
        self == other || source.tree == other.source.tree
    }

    fileprivate var source: ModelSource {
        ModelSource(layer: 0, layerName: "", name: "", entries: self ?? [:], isText: false)
    }
}
