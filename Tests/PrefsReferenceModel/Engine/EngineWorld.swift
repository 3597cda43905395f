extension ModelWorld {
    /// The standard world, with the readings of the specification that the engine follows.
    static let engine: ModelWorld = {
        var world = standard
        world.notifiesLeaves = true
        world.readings = [.environmentDoesNotJoinDictionaries]
        return world
    }()
}

extension ModelDriver {
    /// Runs traces on the engine.
    static let engine = ModelDriver(world: .engine) { try EngineSubject($0) }
}
