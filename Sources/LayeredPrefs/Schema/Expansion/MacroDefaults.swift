extension PrefsExpansion {
    /// The default argument for the range of a preference that declares none.
    public static var everything: PartialRangeFrom<Int> { Int.min... }

    /// The default argument for the condition of a preference that declares none.
    public static func accept(_: Never) -> Bool {}
}
