public import LayeredPrefs

/// A schema over any kind of storage, chosen when it is created.
public protocol AnyPrefsSchema: PrefsSchema where SchemaStorage == AnyPrefsStorage {}
