import SwiftSyntax
import SwiftSyntaxBuilder

/// The code that one preference becomes.
struct PrefExpansion {
    private let pref: PrefDeclaration
    private let schema: SchemaClass

    /// - Throws: What is wrong with this preference in this class.
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
        [cell] + (needsStandIn ? [standIn] : []) + (schema.isGeneric ? [] : [pathConstant]) + [property]
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
        \(pref.cell).value(at: _$prefs.generation)
            ?? \(pref.cell).fill(\(propertyReference), from: _$prefs, bind: _$bind)
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

    /// Two thirds of what observing a read costs go into making the key path, so it is kept in a constant of
    /// its own: inside the property's object it would be counted by every read of every thread. A generic
    /// class has no static storage, so there the literal itself is what is cheapest.
    private var path: ExprSyntax { schema.isGeneric ? pathLiteral : "\(schema.name).\(pref.path)" }

    private var pathLiteral: ExprSyntax {
        "\\\(schema.name).\(needsStandIn ? pref.standIn : pref.identifier)"
    }

    /// A key path to an isolated property can only be formed on its actor.
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

    private var cell: DeclSyntax {
        let argument = valueType.map { "(\($0)).self" } ?? "like: \(pref.defaultValue ?? "()")"
        return "private let \(pref.cell) = LayeredPrefs.PrefsExpansion.cell(\(raw: argument))"
    }

    private var property: DeclSyntax {
        let value: ExprSyntax = """
            LayeredPrefs.PrefsExpansion.Property(
                \(path),
                \(DeclarationExpansion(pref).expression)
            ) { declaration in
                \(DeclarationExpansion(pref).options)
            }
            """
        let modifiers: TokenSyntax = .identifier("private \(schema.staticModifiers)")
        guard let valueType else { return "\(modifiers) let \(pref.property) = \(value)" }
        let member = needsStandIn ? "Void" : pref.type ?? valueType
        // Spelled out, so that what does not fit is one error here and none where this is used.
        let type: TypeSyntax = """
            LayeredPrefs.PrefsExpansion.Property<\(schema.name), \(valueType), \(member)>
            """
        guard schema.isGeneric else { return "\(modifiers) let \(pref.property): \(type) = \(value)" }
        return """
            \(modifiers) var \(pref.property): \(type) {
                \(value)
            }
            """
    }
}
