/// The capabilities of a storage of this library that the engine uses beyond the documented requirements.
///
/// A requirement of ``PrefsStorage`` returns them, because a cast to a protocol would be slow. At the start
/// of every process, Swift's runtime searches all conformances of the program for the first such cast of each
/// class.
@_documentation(visibility: internal)
public struct _PrefsStorageCapabilities: Sendable {
    /// The storage, or the one to which it passes every call on.
    let storage: any PrefsStorage
    /// The storage as one that writes by path, if it is one.
    var paths: (any PathWritablePrefsStorage)?
    /// The storage as one whose snapshot may be taken while a mutex is held, if it is one.
    var contents: (any SelfContainedPrefsStorage)?
    /// The source of the storage's transitions, if it has one.
    var transitions: (any TransitionSource)?
    /// True if the contents are those of files that people edit as a whole.
    var isInFiles = false
    /// True if keys are names and not paths, and something may have a value that nobody has stored, or its contents may
    /// not be known as a whole.
    var holdsNames = false
}

extension _PrefsStorageCapabilities {
    /// The capabilities of a storage that only looks up names, such as that of another library's keys.
    package static func ofNames(_ storage: any PrefsStorage) -> _PrefsStorageCapabilities {
        _PrefsStorageCapabilities(storage: storage, holdsNames: true)
    }
}
