#if UserDefaults
    extension UserDefaultsPrefsStorage: PrefsStorageImportable, PrefsStorageExportable {}
#endif
