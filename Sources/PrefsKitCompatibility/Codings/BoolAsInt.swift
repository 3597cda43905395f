public import LayeredPrefs

// PrefsKit's README and its code disagree about the name, so both compile.

extension PrefsCodable where Self == BoolIntegerPrefsCoding {
    /// Stores a `Bool` as 1 or 0.
    public static func boolAsInt(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> Self {
        Self(decodingStrategy: decodingStrategy)
    }
}

extension PrefsCodable where StorageValue == Bool {
    /// Stores this coding's Boolean value as 1 or 0.
    public func boolAsInt(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> PrefsCodingTuple<Self, BoolIntegerPrefsCoding> {
        boolAsInteger(decodingStrategy: decodingStrategy)
    }
}
