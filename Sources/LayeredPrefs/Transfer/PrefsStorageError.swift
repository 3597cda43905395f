public import PrefsDocuments

/// PrefsKit's name for the errors of importing and exporting.
public typealias PrefsStorageError = PrefsError
