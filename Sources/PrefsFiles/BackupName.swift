import PrefsDocuments
import PrefsSystem

/// The names of the copies that are kept of a file: `NAME.bak`, and if that exists `NAME.bak.1`, `NAME.bak.2`
/// and so on. A copy never overwrites a file that has one of these names.
enum BackupName: String {
    /// The old file after a conversion: a file in another format has taken its place.
    case converted = "bak"
    /// The file that could not be parsed and was replaced.
    case broken

    /// The number of names to try, so that copies do not fill a folder.
    static let limit = 1000

    /// Returns the name of the copy with a number. Copy 0, the first one, has no number in its name.
    func name(for target: RawPath, _ number: Int) -> RawPath {
        RawPath(target.bytes + Array((number == 0 ? ".\(rawValue)" : ".\(rawValue).\(number)").utf8))
    }

    /// Gives a copy the first free name, and returns its path.
    ///
    /// - Parameter take: Gives a name to the copy. It throws `EEXIST` if the name exists.
    func giveFirstFree(
        beside target: PathTarget, _ take: (RawPath) throws(Errno) -> Void
    ) throws(PrefsError) -> String {
        for number in 0..<Self.limit {
            let name = name(for: target.name, number)
            let path = target.folder.path.appending(name).description
            do throws(Errno) {
                try take(name)
                return path
            } catch let error {
                guard error.code == EEXIST else {
                    throw error.error(.unwritable, path, "cannot keep a copy of the file")
                }
            }
        }
        throw PrefsError(
            .unwritable, origin: PrefsOrigin(file: target.path),
            reason: "cannot keep a copy of the file: all of \(name(for: target.name, 0)) to "
                + "\(name(for: target.name, Self.limit - 1)) exist; remove those that are no longer needed")
    }
}
