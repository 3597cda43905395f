import SwiftSyntax
import SwiftSyntaxBuilder

/// The code to which a preference expands.
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
        pref.flavor == .raw ? [rawGetter, setter("writeRaw")] : [getter, setter("write")]
    }

    var peers: [DeclSyntax] {
        [cache] + (needsStandIn ? [standIn] : []) + (schema.isGeneric ? [] : [pathConstant]) + [property]
    }
}

// MARK: Accessors

extension PrefExpansion {
    private var getter: AccessorDeclSyntax {
        """
        get {
            _$observationRegistrar.access(self, keyPath: \(path))
            return \(stored)
        }
        """
    }

    private var rawGetter: AccessorDeclSyntax {
        let type = pref.wrappedType ?? pref.type ?? "Any"
        let fallback: ExprSyntax = pref.wrappedType == nil ? "?? (\(pref.defaultValue ?? "()"))" : ""
        return """
            get {
                _$observationRegistrar.access(self, keyPath: \(path))
                return LayeredPrefs.PrefsExpansion.plain(
                    \(stored),
                    as: (\(type)).self) \(fallback)
            }
            """
    }

    private var stored: ExprSyntax {
        """
        \(pref.cache).value(at: _$prefs.generation)
            ?? \(pref.cache).fill(\(propertyReference), from: _$prefs, bind: _$bind)
        """
    }

    private func setter(_ write: TokenSyntax) -> AccessorDeclSyntax {
        """
        set {
            _$prefs.\(write)(
                newValue, to: \(propertyReference), of: self, by: _$observationRegistrar, bind: _$bind)
        }
        """
    }

    private var propertyReference: ExprSyntax { "\(schema.name).\(pref.property)" }

    /// The expression for the key path.
    ///
    /// Creating the key path accounts for two thirds of the cost of observing a read, so it is stored in a
    /// constant of its own: stored in the property's object, it would be retained and released by every read
    /// of every thread. A generic class has no static storage, so there the literal is the cheapest form.
    private var path: ExprSyntax { schema.isGeneric ? pathLiteral : "\(schema.name).\(pref.path)" }

    private var pathLiteral: ExprSyntax {
        "\\\(schema.name).\(needsStandIn ? pref.standIn : pref.identifier)"
    }

    /// True if the property is isolated to an actor: a key path to it can only be formed on that actor.
    private var needsStandIn: Bool { pref.globalActor != nil || schema.globalActor != nil }
}

// MARK: Peers

extension PrefExpansion {
    private var pathConstant: DeclSyntax {
        let modifiers: TokenSyntax = .identifier("private \(schema.staticModifiers)")
        return "\(modifiers) let \(pref.path) = \(pathLiteral)"
    }

    private var standIn: DeclSyntax { "private nonisolated var \(pref.standIn): Void { () }" }

    private var valueType: TypeSyntax? {
        pref.flavor == .raw ? "LayeredPrefs.PrefsValue?" : pref.type
    }

    private var cache: DeclSyntax {
        let argument = valueType.map { "of: (\($0)).self" } ?? "like: \(pref.defaultValue ?? "()")"
        return "private let \(pref.cache) = LayeredPrefs.PrefsExpansion.cache(\(raw: argument))"
    }

    private var property: DeclSyntax {
        let value: ExprSyntax = """
            LayeredPrefs.PrefsExpansion.property(
                \(path),
                \(DeclarationExpansion(pref).expression)
            ) { options in
                \(DeclarationExpansion(pref).options)
            }
            """
        let modifiers: TokenSyntax = .identifier("private \(schema.staticModifiers)")
        guard let valueType else { return "\(modifiers) let \(pref.property) = \(value)" }
        // The type is spelled out, so that a mismatch is one error here and none at each use.
        let type: TypeSyntax = "LayeredPrefs.PrefsExpansion.Property<\(schema.name), \(valueType)>"
        guard schema.isGeneric else { return "\(modifiers) let \(pref.property): \(type) = \(value)" }
        return """
            \(modifiers) var \(pref.property): \(type) {
                \(value)
            }
            """
    }
}
