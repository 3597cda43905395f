#if Macros
    public import LayeredPrefs

    /// A schema over any kind of storage. You choose the storage when you create the schema.
    public protocol AnyPrefsSchema: PrefsSchema where SchemaStorage == AnyPrefsStorage {}
#endif
