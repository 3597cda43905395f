package import LayeredPrefs

/// A storage that forwards everything to another one, as type-erasing storages do.
package final class ErasedStorage: ForwardingPrefsStorage {
    package let target: any PrefsStorage

    package init(_ target: any PrefsStorage) { self.target = target }
}
