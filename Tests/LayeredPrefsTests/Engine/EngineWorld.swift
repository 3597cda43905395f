extension ModelWorld {
    /// The standard world in the readings that the engine follows.
    static let engine: ModelWorld = {
        var world = standard
        world.tellsLeaves = true
        world.readings = [.environmentDoesNotJoinDictionaries]
        return world
    }()
}

extension ModelDriver {
    /// Plays histories on the engine, compared in all that it tells: it does not tell one spelling from the
    /// other.
    static let engine = ModelDriver(
        world: .engine, aspects: Set(ModelAspect.allCases).subtracting([.spellings])
    ) { try EngineSubject($0) }
}
