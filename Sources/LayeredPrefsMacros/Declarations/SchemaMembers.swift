import SwiftSyntax

/// Which attribute makes a class what it is.
enum SchemaKind: String {
    case schema = "PrefsSchema"
    case group = "PrefsGroup"
}

/// A schema class's members, sorted by what they are to its expansion.
struct SchemaMembers {
    /// Something that has keys.
    enum Item {
        case pref(PrefDeclaration)
        case group(GroupDeclaration)
    }

    private(set) var items: [Item] = []
    /// The variables marked `@Storage` and `@StorageMode`.
    private(set) var storage: VariableDeclSyntax?
    private(set) var storageMode: VariableDeclSyntax?
    /// Stored variables that are none of the schema's business.
    private(set) var otherVariables: [VariableDeclSyntax] = []
    /// The names of stored constants.
    private(set) var constants: [String] = []
    /// Whether there is a constant or computed `storage`.
    private(set) var declaresStorage = false

    init(of schema: SchemaClass) {
        for member in schema.declaration.memberBlock.members {
            if let variable = member.decl.as(VariableDeclSyntax.self) { add(variable, schema) }
        }
    }

    var prefs: [PrefDeclaration] {
        items.compactMap { if case .pref(let pref) = $0 { pref } else { nil } }
    }

    private mutating func add(_ variable: VariableDeclSyntax, _ schema: SchemaClass) {
        let attributes = variable.attributes
        // A preference that is declared wrongly is reported by its own macro.
        if let attribute = attributes.plain.first(where: { PrefFlavor(rawValue: $0.name) != nil }) {
            guard let pref = try? PrefDeclaration(variable, attribute) else { return }
            if (try? PrefExpansion(pref, schema)) != nil { items.append(.pref(pref)) }
        } else if let attribute = attributes.first(named: GroupDeclaration.attributeName) {
            if let group = try? GroupDeclaration(variable, attribute) { items.append(.group(group)) }
        } else if attributes.first(named: "Storage") != nil {
            storage = variable
        } else if attributes.first(named: "StorageMode") != nil {
            storageMode = variable
        } else {
            addOther(variable)
        }
    }

    private mutating func addOther(_ variable: VariableDeclSyntax) {
        let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
        if variable.isStoredInInstances, isVariable { return otherVariables.append(variable) }
        if variable.isStoredInInstances { constants += variable.variableNames }
        if variable.variableNames.contains("storage") { declaresStorage = true }
    }
}

extension VariableDeclSyntax {
    var variableNames: [String] {
        bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifier?.name }
    }

    /// Whether it has a getter written out, and not observers only.
    var isComputed: Bool {
        bindings.contains { binding in
            switch binding.accessorBlock?.accessors {
            case nil: false
            case .getter: true
            case .accessors(let accessors):
                !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
            }
        }
    }

    fileprivate var isStoredInInstances: Bool {
        !modifiers.contains(.static) && !modifiers.contains(.class) && !isComputed
    }
}
