import SwiftSyntax
import SwiftSyntaxBuilder

/// The code that a schema or group class gets beside that of its preferences.
struct SchemaExpansion {
    let kind: SchemaKind
    let schema: SchemaClass
    let members: SchemaMembers

    /// What the class gets as members.
    var declarations: [DeclSyntax] {
        [
            "private let _$observationRegistrar = Observation.ObservationRegistrar()",
            "private let _$prefs = LayeredPrefs.PrefsExpansion.Core()",
        ] + (kind == .group ? place : []) + [properties, keys, bind] + observation
            + (isSendable && !members.constants.isEmpty ? [sendableCheck] : [])
    }

    /// What lets a program tell of changes to properties of its own. Not in an extension: there a generic class
    /// within another type cannot be named without its arguments.
    private var observation: [DeclSyntax] {
        [
            """
            internal nonisolated func access<Member>(keyPath: KeyPath<\(schema.name), Member>) {
                _$observationRegistrar.access(self, keyPath: keyPath)
            }
            """,
            """
            internal nonisolated func withMutation<Member, MutationResult>(
                keyPath: KeyPath<\(schema.name), Member>,
                _ mutation: () throws -> MutationResult
            ) rethrows -> MutationResult {
                try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
            }
            """,
        ]
    }

    /// Where a group is, which is all that it is created with.
    private var place: [DeclSyntax] {
        // A storage of its own is a mistake, of which this is not to be a second error.
        let storage: [DeclSyntax] = members.storage == nil ? [placedStorage] : []
        return [
            "private let _$place: LayeredPrefs.PrefsExpansion.GroupPlace",
            """
            \(raw: schema.access)\(raw: schema.isFinal ? "" : "required ")init(\
            _ place: LayeredPrefs.PrefsExpansion.GroupPlace) {
                _$place = place
            }
            """,
            """
            @available(*, unavailable, message: "the schema creates the group itself: remove the initial value")
            \(raw: schema.access)convenience init() {
                Swift.fatalError()
            }
            """,
        ] + storage
    }

    private var placedStorage: DeclSyntax {
        """
        /// The storage of the schema that holds the group.
        \(raw: schema.access)var storage: any LayeredPrefs.PrefsStorage { _$place.storage }
        """
    }

    private var properties: DeclSyntax {
        let all = members.prefs.map { "    \(schema.name).\($0.property)," }
        return stored(
            "private ", "_$properties", "[LayeredPrefs.PrefsExpansion.AnyProperty<\(schema.name)>]", all)
    }

    private var keys: DeclSyntax {
        let all = members.items.map { item in
            switch item {
            case .pref(let pref): "    [\(schema.name).\(pref.property).description],"
            case .group(let group):
                "    LayeredPrefs.PrefsExpansion.keys(of: (\(group.type)).self, under: \(group.keyName)),"
            }
        }
        return stored(
            schema.access, "keys", "[LayeredPrefs.PrefsKeyDescription]", all,
            of: "[[LayeredPrefs.PrefsKeyDescription]]")
    }

    /// A static constant; in a generic class, which can have none, a computed variable.
    ///
    /// - Parameter nested: The type of the lines' array, where that has to be joined first.
    private func stored(
        _ access: String, _ name: String, _ type: TypeSyntax, _ lines: [String], of nested: String? = nil
    ) -> DeclSyntax {
        let modifiers = "\(access)\(schema.staticModifiers)"
        let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: "\n"))\n]"
        let value = nested.map { "LayeredPrefs.PrefsExpansion.joined(\(list) as \($0))" } ?? list
        guard schema.isGeneric else {
            return "\(raw: modifiers) let \(raw: name): \(type) = \(raw: value)"
        }
        return """
            \(raw: modifiers) var \(raw: name): \(type) {
                \(raw: value)
            }
            """
    }

    /// Never called: it compiles only where the class's constants may be shared between threads.
    private var sendableCheck: DeclSyntax {
        let checks = members.constants.map { "LayeredPrefs.PrefsExpansion.requireSendable(self.`\($0)`)" }
        return """
            private func _$sendable() {
                \(raw: checks.joined(separator: "\n"))
            }
            """
    }

    /// Whether the class keeps nothing that two threads could not share.
    var isSendable: Bool {
        schema.globalActor == nil && schema.isFinal && members.otherVariables.isEmpty
    }
}

extension SchemaExpansion {
    private var bind: DeclSyntax {
        """
        private func _$bind() {
            let tell = LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
                guard let self else { return }
                self._$prefs.tell(\(schema.name)._$properties, of: self, by: self._$observationRegistrar)
            }
            \(raw: connections.joined(separator: "\n"))
        }
        """
    }

    private var connections: [String] {
        switch kind {
        case .schema:
            ["_$prefs.bind(to: storage, mode: storageMode, declaring: \(schema.name).keys, tell: tell)"]
                + (members.storage?.variableNames == ["storage"]
                    ? [whenReplaced("_storage._whenReplaced")] : [])
                + (members.storageMode?.variableNames == ["storageMode"]
                    ? [whenReplaced("_storageMode._whenReplaced")] : [])
        case .group:
            [
                """
                _$prefs.bind(
                    to: _$place.storage, mode: _$place.storageMode, under: _$place.path, tell: tell)
                """,
                whenReplaced("_$place.whenReplaced"),
            ]
        }
    }

    private func whenReplaced(_ function: String) -> String {
        """
        \(function)(LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
            self?._$bind()
        })
        """
    }
}
