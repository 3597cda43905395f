import SwiftSyntax

/// The code that a preference expands to.
struct PrefExpansion {
    private let pref: PrefDeclaration
    private let schema: SchemaClass

    /// - Throws: The mistake if the preference is not valid in this class.
    init(_ pref: PrefDeclaration, _ schema: SchemaClass) throws(PrefMistake) {
        self.pref = pref
        self.schema = schema
        if let own = pref.globalActor, let actor = schema.globalActor, own != actor {
            throw PrefMistake(pref.attribute, .otherActor(pref.name, own, actor))
        }
        if schema.isGeneric, pref.type == nil {
            throw PrefMistake(pref.attribute, .needsExplicitType(pref.name, "is in a generic class"))
        }
    }

    var accessors: [AccessorDeclSyntax] {
        let accessors =
            switch pref.flavor {
            case .pref: [getter, setter("write"), modifier]
            case .raw: [rawGetter, setter("writeRaw")]
            case .rawRepresentable, .jsonData, .jsonString: [getter, setter("write")]
            }
        return accessors.map(AccessorDeclSyntax.init(verbatim:))
    }

    var peers: [DeclSyntax] {
        ([cache] + (needsStandIn ? [standIn] : []) + (schema.isGeneric ? [] : [pathConstant]) + [property])
            .map(DeclSyntax.init(verbatim:))
    }
}

// MARK: Accessors

extension PrefExpansion {
    private var getter: String {
        """
        get {
            _$observationRegistrar.access(self, keyPath: \(path))
            return \(stored)
        }
        """
    }

    private var rawGetter: String {
        let type = (pref.wrappedType ?? pref.type)?.description ?? "Any"
        let fallback = pref.wrappedType == nil ? "?? (\(pref.defaultCode))" : ""
        return """
            get {
                _$observationRegistrar.access(self, keyPath: \(path))
                return _$prefs.readRaw(
                    \(stored),
                    as: (\(type)).self, from: \(propertyReference), of: self) \(fallback)
            }
            """
    }

    private var stored: String {
        """
        \(pref.cache).value(at: _$prefs.generation)
                ?? \(pref.cache).fill(\(propertyReference), from: _$prefs, bind: _$bind)
        """
    }

    private func setter(_ write: String) -> String {
        """
        set {
            _$prefs.\(write)(
                newValue, to: \(propertyReference), of: self, by: _$observationRegistrar, bind: _$bind)
        }
        """
    }

    /// The access that changes a value in place. It stores only the difference from the value that it has read, so
    /// it does not undo changes that others have made in the meantime.
    ///
    /// The `defer` block also runs if the code that changes the value throws an error.
    private var modifier: String {
        """
        _modify {
            _$observationRegistrar.access(self, keyPath: \(path))
            let before = \(stored)
            var after = before
            defer {
                _$prefs.change(
                    from: before, to: after, of: \(propertyReference), in: self,
                    by: _$observationRegistrar, bind: _$bind)
            }
            yield &after
        }
        """
    }

    private var propertyReference: String { "\(schema.name).\(pref.property)" }

    /// The expression for the key path.
    ///
    /// Creating the key path accounts for two thirds of the cost of observing a read, so it is stored in a
    /// constant of its own. If the property's object stored it, every read of every thread would retain and
    /// release it. A generic class has no static storage, so the literal is the cheapest form there.
    private var path: String { schema.isGeneric ? pathLiteral : "\(schema.name).\(pref.path)" }

    private var pathLiteral: String {
        "\\\(schema.name).\(needsStandIn ? pref.standIn : pref.identifier)"
    }

    /// True if the property is isolated to an actor: a key path to it can only be formed on that actor.
    private var needsStandIn: Bool { pref.globalActor != nil || schema.globalActor != nil }
}

// MARK: Peers

extension PrefExpansion {
    private var pathConstant: String {
        "\(modifiers) let \(pref.path) = \(pathLiteral)"
    }

    private var standIn: String { "private nonisolated var \(pref.standIn): Void { () }" }

    private var modifiers: String { "private \(schema.staticModifiers)" }

    private var valueType: String? {
        pref.flavor == .raw ? "LayeredPrefs.PrefsValue?" : pref.type?.description
    }

    private var cache: String {
        let argument = valueType.map { "of: (\($0)).self" } ?? "like: \(pref.defaultCode)"
        return "private let \(pref.cache) = LayeredPrefs.PrefsExpansion.cache(\(argument))"
    }

    private var property: String {
        let value = """
            LayeredPrefs.PrefsExpansion.property(
                \(path),
                \(DeclarationExpansion(pref).expression)
            ) { options in
                \(DeclarationExpansion(pref).options)
            }
            """
        guard let valueType else { return "\(modifiers) let \(pref.property) = \(value)" }
        // The type is spelled out, so that a mismatch is one error here instead of one at each use.
        let type = "LayeredPrefs.PrefsExpansion.Property<\(schema.name), \(valueType)>"
        guard schema.isGeneric else { return "\(modifiers) let \(pref.property): \(type) = \(value)" }
        return """
            \(modifiers) var \(pref.property): \(type) {
                \(value)
            }
            """
    }
}
