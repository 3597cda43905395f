import LayeredPrefs

extension Stack {
    /// The layer that a command writes to: the one it names, `user`, or the topmost that keeps what is written.
    func writtenLayer(_ name: String?) throws -> PrefsLayer {
        if let name {
            guard let layer = storage.layer(PrefsLayer.Name(name)) else {
                throw CommandFailure.usage("there is no layer \(name); there are \(storage.layerNames)")
            }
            return layer
        }
        let writable = storage.layers.filter { $0.storage.isWritable && $0.storage.isPersistent }
        guard let layer = writable.first(where: { $0.name == .user }) ?? writable.last else {
            throw CommandFailure(
                CommandStatus.refused, "no layer keeps what is written; there are \(storage.layerNames)")
        }
        return layer
    }

    /// The file that a layer's writes go to.
    func file(of layer: PrefsLayer) throws -> String {
        if let storage = layer.storage as? FilePrefsStorage { return storage.path }
        if layer.storage is SystemPrefsStorage, let place = systemPlaces.last(where: { !$0.isVolatile }) {
            return place.path
        }
        throw CommandFailure(CommandStatus.refused, "the layer \(layer.name) is no file")
    }

    /// Says what a write came to, where that is not simply that the value is in force.
    func tell(_ outcome: PrefsWriteOutcome, of key: String, in layer: PrefsLayer) {
        switch outcome {
        case .effective: break
        case .shadowed(let origin):
            Output.complain("prefs: warning: \(key): stored in \(layer.name), but \(origin.place) hides it")
        case .rejected(let error):
            Output.complain("prefs: warning: \(key): stored in \(layer.name), but refused: \(error.reason)")
        }
    }
}

extension PrefsWriteOutcome {
    var members: [(String, JSONLine)] {
        switch self {
        case .effective: [("outcome", .string("effective"))]
        case .shadowed(let origin): [("outcome", .string("shadowed")), ("by", .string(origin.place))]
        case .rejected(let error): [("outcome", .string("rejected")), ("reason", .string(error.reason))]
        }
    }
}
