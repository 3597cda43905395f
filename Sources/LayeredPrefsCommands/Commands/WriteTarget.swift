import LayeredPrefs
import PrefsSystem

extension Stack {
    /// Returns the layer that a command writes to: the named layer, otherwise `user`, otherwise the topmost
    /// writable layer that is persistent.
    func writtenLayer(_ name: String?) throws -> PrefsLayer {
        if let name {
            guard let layer = storage.layer(PrefsLayer.Name(name)) else {
                throw CommandFailure.usage("unknown layer “\(name)”; the layers are \(storage.layerNames)")
            }
            return layer
        }
        if let user = storage.layer(.user), user.storage.isWritable { return user }
        // The library's error names API calls, which do not help somebody who runs a command.
        let mayHaveFile = storage.layers.contains { $0.storage.isPersistent || $0.name == .user }
        let layer = try mayHaveFile ? storage.target(nil, forKey: nil) : nil
        guard let layer, layer.storage.isPersistent else {
            throw CommandFailure.rejected(
                "no layer has a file that can be written; add one, such as --layer user=PATH")
        }
        return layer
    }

    /// Returns the file that stores a layer's values.
    ///
    /// - Throws: ``PrefsError`` if the file exists in two formats.
    func file(of layer: PrefsLayer) throws -> String {
        guard let path = path(of: layer) else { throw hasNoFile(layer) }
        let problem = layer.storage.status.first { $0.file == path }?.problem
        if let problem, problem.code == .ambiguous { throw problem }
        return path
    }

    /// Returns the path of the file that stores a layer's values.
    func path(of layer: PrefsLayer) -> String? {
        (layer.storage as? FilePrefsStorage)?.path ?? (layer.storage as? SystemPrefsStorage)?.writtenFile
    }

    /// The path of the file that a write without a named layer would create; `nil` if the file exists or no layer
    /// can be written.
    var newFile: String? {
        guard let layer = try? writtenLayer(nil), let path = path(of: layer),
            layer.storage.status.allSatisfy({ $0.file != path || $0.problem == nil })
        else { return nil }
        return fileStatus(of: path) == nil ? path : nil
    }

    /// Returns a key's value in the file that a write to the layer changes; `nil` if the file does not set the
    /// key.
    func stored(_ key: String, in layer: PrefsLayer) -> PrefsValue? {
        let file = path(of: layer)
        return layer.storage.snapshot.candidates(forKey: key).first { file == nil || $0.origin.file == file }?
            .value
    }

    func hasNoFile(_ layer: PrefsLayer) -> CommandFailure {
        CommandFailure.rejected("the layer “\(layer.name)” is not stored in a file")
    }

    /// Warns if a stored value did not become effective.
    func warnIfIneffective(_ outcome: PrefsWriteOutcome, of key: String, in layer: PrefsLayer) {
        if let remark = outcome.remark { Output.warn("\(key): stored in \(layer.name), but \(remark)") }
    }
}

extension Stack {
    /// Returns true if only the file's owner may read it.
    func isPrivate(_ file: String) -> Bool {
        fileStatus(of: file).map { $0.st_mode & (S_IRGRP | S_IROTH) == 0 } ?? false
    }

    /// Returns the path of a drop-in for secrets beside a system file or another drop-in.
    func secretsFile(beside file: String) -> String {
        let name = ConfigurationName(path: file)
        let ending = FormatName(path: file).fileExtension
        return name.folder.hasSuffix(".d")
            ? "\(name.folder)/secrets.\(ending)" : "\(file).d/secrets.\(ending)"
    }

    /// Warns if only this user may read the system file that now stores the keys. That is right for secrets, but
    /// it hides all other settings from other users' programs. A file that belongs to a service is private on
    /// purpose, so there is no warning.
    func warnIfPrivate(_ file: String?, of keys: [String], in layer: PrefsLayer) {
        guard layer.name == .system, let file, isPrivate(file), fileStatus(of: file)?.st_uid == geteuid(),
            let key = keys.first
        else { return }
        let own = secretsFile(beside: file)
        if let secret = keys.first(where: { declared.secrets.covers(PrefsPath($0)) }) {
            Output.warn(
                "\(secret): stored in \(file), which only this user may read, with all its settings; if the program runs as "
                    + "another user, give it the file with chown, or store secrets in a file of their own, such as \(own)"
            )
        } else {
            Output.warn(
                "\(key): stored in \(file), which only this user may read; move secrets to a file of their own, such as "
                    + "\(own), then run chmod o+r \(ShellWord.quoting(file))")
        }
    }
}

extension PrefsLayer {
    /// Throws if a write would create a file that hides another file.
    func checkNewFile() throws(PrefsError) { try (storage as? SystemPrefsStorage)?.checkNewFile() }
}

extension PrefsWriteOutcome {
    /// The reason why the stored value is not effective; `nil` if it is.
    var remark: String? {
        switch self {
        case .effective: nil
        case .shadowed(let origin): origin.shadowing
        case .notStored: "not stored, because the program was built for release"
        }
    }

    var members: [(String, OrderedJSON)] {
        switch self {
        case .effective: [("outcome", .string("effective"))]
        case .shadowed(let origin): [("outcome", .string("shadowed")), ("by", .string(origin.place))]
        case .notStored: [("outcome", .string("notStored"))]
        }
    }
}

extension PrefsOrigin {
    /// A remark that names the value that shadows a stored one. A command knows the variables of its own shell,
    /// but not the variables of the programs that read the value.
    fileprivate var shadowing: String {
        guard layer == PrefsLayer.Name.environment.description, let spelling else {
            return "shadowed by \(place)"
        }
        return
            "shadowed by the variable \(spelling) of this shell; a program without this variable uses the stored value"
    }
}
