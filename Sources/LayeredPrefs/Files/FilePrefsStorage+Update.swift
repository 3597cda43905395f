public import PrefsDocuments

extension FilePrefsStorage {
    /// Changes any number of keys in a single durable write.
    ///
    /// `body` receives the contents that the file has at that moment and modifies them. It runs while the file
    /// lock is held, so no other writer's change is lost, and again if a process that does not lock the file
    /// changes it meanwhile. Only the values that differ afterwards are written, at any depth; comments, order
    /// and layout of the rest stay.
    ///
    /// `body` may read any storage; a write in it throws. Nothing checks what it stores, and it may pass by key locks: to
    /// change the value of a key, call ``PrefsStorage/update(_:_:)``.
    ///
    /// - Throws: Any error of `body`, in which case nothing is changed; ``PrefsError`` if the file cannot be
    ///   written.
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
