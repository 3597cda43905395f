import LayeredPrefs
import PrefsSystem

/// Files that look as if the program read them, but that nothing reads because of their name or place.
struct UnreadFiles {
    /// A file that nothing reads, and the reason why.
    typealias File = (path: String, reason: String)

    let files: [File]

    init(of stack: Stack) {
        let system = stack.systemLocations.map(\.path)
        let others = stack.storage.layers.compactMap { ($0.storage as? FilePrefsStorage)?.path }
        var files: [File] = []
        for name in system.map(ConfigurationName.init) {
            files += Self.beside(name) + Self.above(name, besides: system + others) + Self.dropIns(of: name)
        }
        for path in others { files += Self.beside(ConfigurationName(path: path)) }
        var seen: Set<String> = []
        self.files = files.filter { seen.insert($0.path).inserted }
    }

    /// Returns the sorted names of the files in a folder, without hidden files and the leftovers of editors and
    /// package managers.
    private static func names(in folder: String) -> [String] {
        let endings =
            ["~", ".bak", ".orig", ".old", ".save", ".tmp", ".disabled", ".off"]
            + [".rpmnew", ".rpmsave", ".rpmorig", ".ucf-dist", ".ucf-new", ".ucf-old"]
        return entryNames(in: folder).sorted().filter { name in
            !name.hasPrefix(".") && !name.hasPrefix("README") && !endings.contains(where: name.hasSuffix)
                && !name.contains(".dpkg-") && !name.contains(".bak.")
        }
    }

    /// Returns the files beside a main file that have nearly one of the names that the library reads.
    private static func beside(_ own: ConfigurationName) -> [File] {
        names(in: own.folder).filter { !own.readNames.contains($0) }.compactMap { name in
            let path = "\(own.folder)/\(name)"
            if let meant = own.readNames.first(where: { $0.lowercased() == name.lowercased() }) {
                return (path, "the name would have to be \(meant)")
            }
            guard name == own.base || name.hasPrefix("\(own.base).") else { return nil }
            let ending = name.dropFirst(own.base.count + 1)
            if ending == "d" || ending.hasSuffix(".d") {
                let folders = own.readNames.filter { $0.hasSuffix(".d") }.joined(separator: " or ")
                return (path, "a folder of drop-ins is named \(folders)")
            }
            let isMeant = ["", "conf", "cfg", "config", "ini", "xml", "lock"].contains(ending)
            guard isMeant, fileStatus(of: path)?.isRegularFile == true else { return nil }
            return (
                path, ending == "lock" ? "a locks file ends in .locks" : "its name ends in none of \(formats)"
            )
        }
    }

    /// Returns the files with a name that the library reads, but one folder too high.
    private static func above(_ own: ConfigurationName, besides others: [String]) -> [File] {
        let parent = ConfigurationName(path: own.folder).folder
        // The library may read the folder above, too, as one of its other locations.
        let folders = others.map { ConfigurationName(path: $0).folder }
        guard !parent.isEmpty, parent != ".", !folders.contains(parent) else { return [] }
        return own.readNames.map { "\(parent)/\($0)" }.filter { fileStatus(of: $0) != nil }
            .map { ($0, "the file would have to be in \(own.folder)") }
    }

    /// Returns the files in drop-in folders whose names do not end in a known format's extension.
    private static func dropIns(of own: ConfigurationName) -> [File] {
        own.readNames.filter { $0.hasSuffix(".d") }.map { "\(own.folder)/\($0)" }.flatMap { folder in
            names(in: folder).filter { PrefsFileFormat.stem(of: $0) == nil }.map { name in
                ("\(folder)/\(name)", "a drop-in ends in one of \(formats)")
            }
        }
    }

    private static var formats: String { PrefsFileFormat.extensions.map { ".\($0)" }.joined(separator: ", ") }
}
