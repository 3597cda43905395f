import PrefsDocuments
import PrefsFiles

/// A file before and after edits that are not made.
package struct FilePreview {
    package let file: String
    /// Empty if there is no file.
    package let before: [UInt8]
    package let after: [UInt8]
}

extension FilePrefsStorage {
    /// Returns the file before and after some keys are set, or removed if their value is `nil`.
    package func preview(_ edits: [(key: String, value: PrefsValue?)]) throws -> FilePreview {
        try checkWritable(nil)
        let path = try source.withPlace { place throws(PrefsError) in try place.writtenPath() }
        let before = try PrefsFileReader.read(path, limits: options.limits)?.bytes
        let document = try before.map {
            try PrefsDocument(parsing: $0, as: options.format, path: path, limits: options.limits)
        }
        var places = EditPlaces(in: document ?? .empty)
        let contents = PrefsSource(.node((document ?? .empty).root), file: path)
        let changes = edits.map { PathEdit(path: PrefsPath($0.key), value: $0.value) }
        for edit in try contents.clearingTheWay(for: changes) { places.add(edit) }
        let format = options.format ?? document?.format ?? .detecting(bytes: [], path: path)
        let after = try (document ?? .empty).editing(places.edits, as: format)
        return FilePreview(file: path, before: before ?? [], after: after)
    }
}

extension SystemPrefsStorage {
    /// Returns the file that writes go to, before and after some keys are set, or removed if their value is `nil`.
    package func preview(_ edits: [(key: String, value: PrefsValue?)]) throws -> FilePreview {
        try writeTarget(forKey: nil).preview(edits)
    }
}
