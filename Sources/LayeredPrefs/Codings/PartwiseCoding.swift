import PrefsDocuments

/// A coding that finds the first wrong part of each wrong element, not only of the first one.
protocol PartwiseCoding {
    /// Returns the first wrong part of each element of a rejected stored form, up to ``PrefsLimits/reports``.
    func mismatches(of stored: PrefsValue) -> [PrefsMismatch]
}
