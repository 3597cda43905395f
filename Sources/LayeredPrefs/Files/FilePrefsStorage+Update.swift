public import PrefsDocuments

extension FilePrefsStorage {
    /// Changes any number of keys in a single durable write.
    ///
    /// `body` receives the contents that the file has at that moment, and modifies them. It runs while the
    /// file lock is held, so no other writer's change is lost. If a process that does not lock the file
    /// changes it meanwhile, `body` runs again. Only the values that differ afterwards are written, at any
    /// depth. The rest of the file keeps its comments, order and layout.
    ///
    /// `body` may read any storage, but a write in it throws. The values that it stores are not checked, and
    /// it can bypass key locks. To change the value of a key, call ``PrefsStorage/update(_:_:)`` instead.
    ///
    /// - Throws: Any error of `body`; nothing is changed then. ``PrefsError`` if the file cannot be written.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        try withoutActuallyEscaping(body) { body in
            try prepare { document in
                let before = document.content
                var content = before
                try UpdateCall.run { try body(&content) }
                let keys = Set(before.keys).union(content.keys).filter { before[$0] != content[$0] }
                return keys.sorted().map { PrefsDocument.Edit(path: [$0], value: content[$0]) }
            }.commitAlone()
        }
    }
}
