import FoundationEssentials
import PrefsDocuments

/// A copy of a last known good file: its bytes, without the secrets in them.
struct AcceptedFile: Equatable, Codable {
    let path: String
    /// The height above the lowest file of the layer, because key locks apply to the files of higher folders.
    let height: UInt16
    /// The contents; `nil` if there was no file. They are empty for a mask.
    let bytes: Bytes?
    /// The names of the paths whose values were removed, because they are secret.
    private(set) var removed: Set<String> = []

    /// Bytes that are stored as data, not as a list of numbers.
    struct Bytes: Equatable {
        let bytes: [UInt8]
    }

    /// Creates a copy of an active file.
    ///
    /// - Parameters:
    ///   - height: The height above the lowest file of the layer.
    ///   - search: Finds the secrets to remove; `nil` to save everything.
    /// - Throws: ``PrefsError`` if a secret cannot be removed.
    init(of source: PrefsSource, at height: Int, without search: SecretSearch?) throws(PrefsError) {
        (path, self.height) = (source.file ?? "", UInt16(clamping: height))
        guard !source.isAbsent, let document = source.spelled.node?.document else {
            bytes = nil
            return
        }
        let secrets = try search?.places(in: document, path) ?? []
        bytes = Bytes(bytes: try search?.bytes(of: document, without: secrets, path) ?? document.bytes)
        removed = Set(secrets.map(\.path.name))
    }

    /// Adds the secrets that the file lacks because the program has started with a saved copy of it.
    mutating func lackSecrets(of copies: [AcceptedFile]) {
        guard let copy = copies.first(where: { $0.path == path && $0.bytes == bytes }) else { return }
        removed.formUnion(copy.removed)
    }

    /// Returns the copy as a source. It is parsed in the same way as the file.
    ///
    /// - Parameters:
    ///   - options: The options for reading the file.
    ///   - present: The file as it is now. The secrets that were not saved are taken from it, if it can be read.
    /// - Throws: ``PrefsError`` if the program can no longer read the bytes.
    func source(
        _ options: FilePrefsStorage.Options, takingSecretsOf present: PrefsSource?
    ) throws(PrefsError) -> PrefsSource {
        guard let bytes = bytes?.bytes else { return PrefsSource(file: path, isAbsent: true) }
        var document = PrefsDocument.empty
        do throws(PrefsError) {
            if !bytes.isEmpty {
                document = try PrefsDocument(
                    parsing: bytes, as: options.format, path: path, limits: options.limits)
            }
        } catch {
            var problem = error
            problem.reason = "the last accepted version of this file cannot be read: \(error.reason)"
            throw problem
        }
        let source = PrefsSource(.node(document.root), file: path)
        let secrets = removed.sorted().compactMap { name -> KeptValue? in
            let path = PrefsPath(name)
            guard let found = present?.tree.value(at: path), !found.isRejected else { return nil }
            return KeptValue(path: path, content: found.content)
        }
        // The result counts as an original revision, although secrets were added to it.
        return PrefsSource(source.spelled, file: path, overlay: source.keeping(secrets).overlay)
    }
}

extension AcceptedFile.Bytes: Codable {
    init(from decoder: any Decoder) throws {
        bytes = Array(try decoder.singleValueContainer().decode(Data.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes))
    }
}

/// Finds the values of a file that are not saved: declared secrets, and undeclared values that seem to be secret.
struct SecretSearch {
    let secrets: SecretPaths
    let known: KnownKeys

    /// A value that is not saved.
    struct Place {
        /// The keys that lead to the value in the file.
        let keys: [String]
        let path: PrefsPath
        let value: PrefsNode
    }

    /// - Throws: ``PrefsError`` if the file may hide a secret.
    func places(in document: PrefsDocument, _ file: String) throws(PrefsError) -> [Place] {
        if !secrets.isEmpty, let duplicate = document.warnings.first {
            throw Self.notSaved(duplicate.key, file, duplicate)
        }
        return places(in: document.root, [], nil, isKnown: false, isSuspect: false)
    }

    /// - Parameters:
    ///   - isKnown: True within the value of a declared key.
    ///   - isSuspect: True if a name above suggests a secret.
    private func places(
        in dictionary: PrefsNode, _ keys: [String], _ path: PrefsPath?, isKnown: Bool, isSuspect: Bool
    ) -> [Place] {
        var places: [Place] = []
        let holdsSecrets = path.map(secrets.touches) ?? !secrets.isEmpty
        for (key, value) in dictionary.entries {
            let isSuspect = !isKnown && (isSuspect || key.suggestsSecret)
            // Nearly all keys of a large file end here, so no path is made for them.
            if value.kind != .dictionary, !holdsSecrets, !isSuspect { continue }
            let path = path?.appending(key) ?? .topLevel(key)
            // No edit reaches into an array, so one with a secret is removed as a whole.
            var isSecret = secrets.covers(path) || value.kind == .array && secrets.touches(path)
            var isKnown = isKnown
            if !isKnown, isSuspect || value.kind == .dictionary {
                switch known.standing(of: path, with: .node(value)) {
                case .declared, .renamed: isKnown = true
                case .unknown: isSecret = isSecret || isSuspect
                case .aboveDeclared, .structure: break
                }
            }
            if isSecret {
                places.append(Place(keys: keys + [key], path: path, value: value))
            } else if value.kind == .dictionary, !isKnown || secrets.touches(path) {
                places += self.places(
                    in: value, keys + [key], path, isKnown: isKnown, isSuspect: isSuspect)
            }
        }
        return places
    }

    /// The shortest text of a secret that the copy is searched for. A shorter text may occur by chance.
    private static let shortestText = 8

    /// Returns the bytes of a file without some secrets. A dictionary that contained nothing else becomes empty.
    ///
    /// - Throws: ``PrefsError`` if a secret cannot be removed.
    func bytes(of document: PrefsDocument, without secrets: [Place], _ file: String) throws(PrefsError)
        -> [UInt8]
    {
        if secrets.isEmpty { return document.bytes }
        do throws(PrefsError) {
            var copy = try document.copy(after: secrets.map { .remove($0.keys) })
            let tree = PrefsSource(.node(copy.root)).tree
            let emptied = Set(secrets.compactMap(\.path.ancestors.last)).filter { tree.value(at: $0) == nil }
            if !emptied.isEmpty {
                let above = emptied.sorted { $0.components.count < $1.components.count }
                copy = try copy.copy(after: above.map { .set($0.components, to: [:]) })
            }
            let texts = secrets.flatMap(\.value.value.texts).filter { $0.utf8.count >= Self.shortestText }
            guard try places(in: copy, file).isEmpty, !texts.contains(where: copy.utf8.haveText) else {
                throw PrefsError(.unsupported, reason: "the file has it in another place, too")
            }
            return copy.bytes
        } catch {
            throw Self.notSaved(secrets.first?.path.name, file, error)
        }
    }

    /// Returns the error of a secret that cannot be removed.
    private static func notSaved(_ key: String?, _ file: String, _ error: PrefsError) -> PrefsError {
        PrefsError(
            error.code, key: key, origin: PrefsOrigin(file: file, position: error.origin?.position),
            reason: """
                not saved for the next start, because secrets cannot be removed from a copy of the file: \
                \(error.reason)
                """)
    }
}

extension PrefsDocument {
    /// Returns the document as it is after some edits.
    fileprivate func copy(after edits: [Edit]) throws(PrefsError) -> PrefsDocument {
        try PrefsDocument(parsing: try editing(edits), as: format, limits: limits)
    }
}

extension [UInt8] {
    /// Returns true if a text occurs in these bytes.
    fileprivate func haveText(_ text: String) -> Bool {
        let text = Array<UInt8>(text.utf8)
        return indices.contains { self[$0] == text[0] && self[$0...].starts(with: text) }
    }
}
