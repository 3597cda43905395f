public import LayeredPrefs

extension FilePrefsStorage: PrefsStorageImportable, PrefsStorageExportable {}

extension LayeredPrefsStorage: PrefsStorageExportable {}

#if UserDefaults
    extension UserDefaultsPrefsStorage: PrefsStorageImportable, PrefsStorageExportable {}
#endif
