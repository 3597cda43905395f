extension PrefsExpansion {
    /// The range of a preference that declares none.
    public static var everything: PartialRangeFrom<Int> { Int.min... }

    /// The condition of a preference that declares none.
    public static func accept(_: Never) -> Bool {}
}
