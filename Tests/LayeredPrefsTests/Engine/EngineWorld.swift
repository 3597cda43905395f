extension ModelWorld {
    /// The standard world in the readings that the engine follows.
    static let engine: ModelWorld = {
        var world = standard
        world.tellsLeaves = true
        world.readings = [.environmentDoesNotJoinDictionaries]
        return world
    }()
}
