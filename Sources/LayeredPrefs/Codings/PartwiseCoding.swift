import PrefsDocuments

/// A coding that finds the first wrong part of each element of a value, not only of the first one.
protocol PartwiseCoding {
    /// Returns the first wrong part of each element of a stored form that is not accepted, up to ``PrefsLimits/reports``.
    func mismatches(of stored: PrefsValue) -> [PrefsMismatch]
}
