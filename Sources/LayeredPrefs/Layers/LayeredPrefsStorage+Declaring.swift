import PrefsSystem
import PrefsDocuments
import Dispatch

extension LayeredPrefsStorage {
    /// Declares keys by name, so that keys that no schema declares can be reported as unknown.
    ///
    /// Any number of schemas may share the stack: a key is unknown if none of them declares it. The first
    /// check runs one second after the last declaration, later ones at every commit. ``reportUnknownKeys()``
    /// checks at once.
    package func declare(_ names: [PrefsKeyName]) {
        note(names)
        let declaration = committing.withLock { $0.unknownKeys.noteDeclaration() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            let isLast = self?.committing.withLock { $0.unknownKeys.declarations == declaration }
            if isLast == true { self?.reportUnknownKeys() }
        }
    }

    /// Records keys with all their names, to which locks and environment variables apply.
    package func note(_ names: [PrefsKeyName]) {
        let (contested, didChange) = committing.withLock { state in
            let count = state.composition.known.names.count
            let parts = committedSnapshot.state.parts
            let prefixes = Set(parts.compactMap { $0.source.contents.variablePrefix })
            let contested = names.flatMap { state.composition.known.insert($0, prefixes: prefixes) }
            return (contested, state.composition.known.names.count > count)
        }
        for variable in contested {
            let reason = "several keys map to this variable, so it is ignored; set `environmentName` on one"
            diagnostics.report(.error, PrefsError(.invalid, key: variable, reason: reason))
        }
        if didChange { commit() }
    }

    /// Reports each key and variable that no schema declares, or that is a former name, with its location and
    /// the most similar declared key.
    ///
    /// Each is reported once, and again only if it disappears and comes back.
    public func reportUnknownKeys() {
        let errors = committing.withLock { state in
            state.unknownKeys.check(committedSnapshot, against: state.composition.known)
        }
        for error in errors { diagnostics.report(.warning, error) }
    }
}
