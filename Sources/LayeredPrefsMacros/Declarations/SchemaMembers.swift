import SwiftSyntax

/// The kind of a class, named after its attribute.
enum SchemaKind: String {
    case schema = "PrefsSchema"
    case group = "PrefsGroup"
}

/// The members of a schema class, classified for its expansion.
struct SchemaMembers {
    /// A member that has keys.
    enum Item {
        case pref(PrefDeclaration)
        case group(GroupDeclaration)
    }

    private(set) var items: [Item] = []
    /// The variables marked `@Storage` and `@StorageMode`.
    private(set) var storage: VariableDeclSyntax?
    private(set) var storageMode: VariableDeclSyntax?
    /// True if there is a `storageMode` of any kind.
    private(set) var declaresStorageMode = false
    /// Stored variables that are neither preferences nor the storage or its mode.
    private(set) var otherVariables: [VariableDeclSyntax] = []
    /// The names of stored constants.
    private(set) var constants: [String] = []
    /// True if there is a constant or computed `storage`.
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
        if variable.variableNames.contains("storageMode") { declaresStorageMode = true }
        // A wrongly declared preference is reported by its own macro.
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

    /// The type of the variable, if it has one and no initial value.
    var uninitializedType: String? {
        guard let binding = bindings.first, binding.initializer == nil else { return nil }
        return binding.typeAnnotation?.type.trimmedDescription
    }

    /// True if the variable has a getter, rather than only observers.
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
