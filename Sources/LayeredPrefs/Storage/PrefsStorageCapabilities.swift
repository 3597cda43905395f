/// The capabilities of a storage of this library that the engine uses beyond the documented requirements.
///
/// A requirement of ``PrefsStorage`` returns them, because a cast to a protocol would be slow. At the start
/// of every process, Swift's runtime searches all conformances of the program for the first such cast of each
/// class.
@_documentation(visibility: internal)
public struct _PrefsStorageCapabilities: Sendable {
    /// The storage itself, or the target of a storage that forwards every call.
    let storage: any PrefsStorage
    /// The storage, if it writes by path.
    var paths: (any PathWritablePrefsStorage)?
    /// The storage, if its snapshot may be taken while a mutex is held.
    var contents: (any SelfContainedPrefsStorage)?
    /// The source of the storage's transitions, if it has one.
    var transitions: (any TransitionSource)?
    /// True if the contents are in files that people edit as a whole.
    var isInFiles = false
    /// True if the keys are names and not paths. Such a storage may have values that nobody has stored, or
    /// may not know all of its contents.
    var holdsNames = false
}

extension _PrefsStorageCapabilities {
    /// Returns the capabilities of a storage that only looks up names, such as a storage of another library's
    /// keys.
    package static func ofNames(_ storage: any PrefsStorage) -> _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: storage, holdsNames: true)
    }
}
