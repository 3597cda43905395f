import LayeredPrefs

/// A storage that conforms to LayeredPrefs' protocol alone, with PrefsKit's functions.
final class AdaptedPrefsStorage: ForwardingStorage {
    let target: any LayeredPrefs.PrefsStorage

    init(_ storage: any LayeredPrefs.PrefsStorage) { target = storage }
}
