public import LayeredPrefs

/// A coding made of two closures.
///
/// This name hides LayeredPrefs' protocol of all codings, so write `LayeredPrefs.PrefsCoding` for that.
public typealias PrefsCoding = ClosurePrefsCoding
