// Values, errors, origins, formats and limits, and the options of reading and writing files, belong to this
// library's interface.
@_exported public import PrefsDocuments
@_exported public import PrefsFiles
