/// The attributes that declare a preference.
enum PrefFlavor: String, CaseIterable {
    case pref = "Pref"
    case raw = "RawPref"
    case rawRepresentable = "RawRepresentablePref"
    case jsonData = "JSONDataCodablePref"
    case jsonString = "JSONStringCodablePref"

    /// The type of the coding that the attribute implies.
    var coding: String? {
        switch self {
        case .pref, .raw: nil
        case .rawRepresentable: "RawRepresentablePrefsCoding"
        case .jsonData: "JSONDataCodablePrefsCoding"
        case .jsonString: "JSONStringCodablePrefsCoding"
        }
    }
}
