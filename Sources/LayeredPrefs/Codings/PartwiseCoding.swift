import PrefsDocuments

/// A coding that finds everything that is wrong with a value, not only the first part.
protocol PartwiseCoding {
    /// Returns the wrong parts of a stored form that is not accepted, up to ``PrefsLimits/reports``.
    func mismatches(of stored: PrefsValue) -> [PrefsMismatch]
}
