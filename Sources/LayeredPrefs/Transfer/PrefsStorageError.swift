public import PrefsDocuments
/// PrefsKit's name for the errors of loading and exporting.
public typealias PrefsStorageError = PrefsError
