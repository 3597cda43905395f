import LayeredPrefs

import PrefsSystem

/// The conversion of a file in place.
struct FileConversion {
    let format: FormatName
    var options = PrefsFileWriteOptions()

    /// Converts a file. If the new format has another extension, a new file with that extension replaces the old
    /// one.
    func replace(_ path: String) throws {
        guard let stem = PrefsFileFormat.stem(of: path) else { return try rewrite(path) }
        // A format may have several extensions. A file that already has one of them keeps its name.
        let isNamed = PrefsFileFormat.named(by: path) == format.format
        let new = isNamed ? path : "\(stem).\(format.fileExtension)"
        let others = PrefsFileFormat.extensions.map { "\(stem).\($0)" }.filter {
            $0 != new && Self.exists($0)
        }
        guard let old = others.first else { return try rewrite(new) }
        guard others.count == 1 else {
            throw PrefsError(
                .ambiguous, origin: PrefsOrigin(file: old),
                reason: "there is also \(others[1]); remove one of the two files")
        }
        let conversion = PrefsFileConversion(from: old, to: new, options: options)
        let backup = try conversion.run { try format.bytes(converting: $0) }
        Output.complain("prefs: \(new) takes the place of \(old), which is now \(backup)")
    }

    /// Converts a file under its own name and keeps a copy of the old contents. Creates an empty file if there is
    /// none.
    private func rewrite(_ path: String) throws {
        let writer = PrefsFileWriter(path, options: options)
        guard Self.exists(path) else {
            _ = try writer.update { $0 == nil ? try format.bytes(of: [:]) : nil }
            return
        }
        var copy: String?
        try writer.replace(onKeepingCopy: { copy = $0 }) { bytes in
            let document = try PrefsDocument(parsing: bytes ?? [], path: path)
            return document.format == format.format ? nil : try format.bytes(converting: document)
        }
        if let copy { Output.complain("prefs: \(path) is converted; the file as it was is kept as \(copy)") }
    }

    private static func exists(_ path: String) -> Bool {
        ((try? linkStatus(of: path)) ?? nil) != nil
    }
}
