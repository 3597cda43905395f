import SwiftSyntax

/// The code that is added to a schema or group class, besides the code of its preferences.
struct SchemaExpansion {
    let kind: SchemaKind
    let schema: SchemaClass
    let members: SchemaMembers

    /// The members added to the class.
    var declarations: [DeclSyntax] { code.map(DeclSyntax.init(verbatim:)) }

    private var code: [String] {
        [
            "private let _$observationRegistrar = Observation.ObservationRegistrar()",
            "private let _$prefs = LayeredPrefs.PrefsExpansion.SchemaState()",
        ] + (kind == .group ? location : initializer + access) + [properties, keys, propertyKeys, bind]
            + observation
            + (isSendable && !members.constants.isEmpty ? [sendableCheck] : [])
    }

    /// The initializer that takes the storage, if the class has a storage without an initial value and no initializer.
    private var initializer: [String] {
        guard !schema.declaresInitializer, let type = members.storage?.uninitializedType else { return [] }
        return [
            """
            \(schema.access)init(_ storage: \(type)) {
                self.storage = storage
            }
            """
        ]
    }

    /// The property wrapper `@Storage`, which knows the schema's keys, and the function that observation of
    /// snapshots needs.
    private var access: [String] {
        [
            """
            \(schema.access)typealias Storage<Value: LayeredPrefs.PrefsStorage> = \
            LayeredPrefs.PrefsStorageWrapper<Value, PropertyKeys>
            """,
            """
            \(schema.access)func _$snapshotReads() -> LayeredPrefs.PrefsExpansion.SnapshotReads? {
                _$prefs.snapshotReads(of: \(schema.name).keys, bind: _$bind)
            }
            """,
        ]
    }

    /// The functions that a program calls to notify of changes to its own properties. They are members of the
    /// class, because an extension cannot name a generic class within another type without its arguments.
    private var observation: [String] {
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

    /// The location of a group, and the initializer that takes it as the only argument.
    private var location: [String] {
        // A group that declares its own storage is reported already; do not cause a second error.
        let storage: [String] = members.storage == nil ? [placedStorage] : []
        // The unavailable initializer is never called, because code that uses it does not compile.
        return [
            "private let _$location: LayeredPrefs.PrefsExpansion.GroupLocation",
            """
            \(schema.access)\(schema.isFinal ? "" : "required ")init(\
            _ location: LayeredPrefs.PrefsExpansion.GroupLocation) {
                _$location = location
            }
            """,
            // Never called: code that calls it does not compile.
            """
            @available(*, unavailable, message: "the schema creates the group: remove the initial value")
            \(schema.access)convenience init() {
                Swift.fatalError()
            }
            """,
        ] + storage
    }

    private var placedStorage: String {
        """
        /// The storage of the schema that holds the group.
        \(schema.access)var storage: any LayeredPrefs.PrefsStorage { _$location.storage }
        """
    }

    private var properties: String {
        let all = members.prefs.map { "    \(schema.name).\($0.property)," }
        return stored(
            "private ", "_$properties", "[LayeredPrefs.PrefsExpansion.AnyProperty<\(schema.name)>]", all)
    }

    private var keys: String {
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

    /// The keys by the names of their properties, for key paths.
    private var propertyKeys: String {
        let all = members.items.map { item in
            switch item {
            case .pref(let pref):
                "    \(pref.access)let \(pref.identifier) = \(schema.name).\(pref.property)"
            case .group(let group):
                """
                    \(group.access)let `\(group.name)` = \
                LayeredPrefs.PrefsExpansion.groupKeys(of: (\(group.type)).self, under: \(group.keyName))
                """
            }
        }
        return """
            \(schema.access)nonisolated struct PropertyKeys: LayeredPrefs.PrefsExpansion.PropertyKeys {
                \(schema.access)init() {}
                \(schema.access)static var all: [LayeredPrefs.PrefsKeyDescription] { \(schema.name).keys }
            \(all.joined(separator: "\n"))
            }
            """
    }

    /// Returns a static constant or, in a generic class, which cannot have static stored properties, a
    /// computed variable.
    ///
    /// - Parameter nested: The type of the array of lines, if it has to be joined first.
    private func stored(
        _ access: String, _ name: String, _ type: String, _ lines: [String], of nested: String? = nil
    ) -> String {
        let modifiers = "\(access)\(schema.staticModifiers)"
        let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: "\n"))\n]"
        let value = nested.map { "LayeredPrefs.PrefsExpansion.joined(\(list) as \($0))" } ?? list
        guard schema.isGeneric else {
            return "\(modifiers) let \(name): \(type) = \(value)"
        }
        return """
            \(modifiers) var \(name): \(type) {
                \(value)
            }
            """
    }

    /// A function that is never called; it compiles only if the class's constants are `Sendable`.
    private var sendableCheck: String {
        let checks = members.constants.map { "LayeredPrefs.PrefsExpansion.requireSendable(self.`\($0)`)" }
        return """
            private func _$sendable() {
                \(checks.joined(separator: "\n    "))
            }
            """
    }

    /// True if all stored state of the class may be shared between threads.
    var isSendable: Bool {
        schema.globalActor == nil && schema.isFinal && members.otherVariables.isEmpty
    }
}

extension SchemaExpansion {
    private var bind: String {
        """
        private func _$bind() {
            let notifyObservers = LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
                guard let self else { return }
                self._$prefs.notifyObservers(\(schema.name)._$properties, of: self, by: self._$observationRegistrar)
            }
            \(connections.joined(separator: "\n    "))
        }
        """
    }

    /// Listens first, so that no replacement is missed while the schema is bound.
    private var connections: [String] {
        switch kind {
        case .schema:
            (members.storage?.variableNames == ["storage"] ? [whenReplaced("_storage._whenReplaced")] : [])
                + (members.storageMode?.variableNames == ["storageMode"]
                    ? [whenReplaced("_storageMode._whenReplaced")] : [])
                + [
                    "_$prefs.bind(to: storage,\(cachesValues) declaring: \(schema.name).keys, notifyObservers: notifyObservers)"
                ]
        case .group:
            [
                whenReplaced("_$location.whenReplaced"),
                """
                _$prefs.bind(
                        to: _$location.storage, cachesValues: _$location.cachesValues, under: _$location.path,
                        notifyObservers: notifyObservers)
                """,
            ]
        }
    }

    /// PrefsKit's storage mode, if the class declares one.
    private var cachesValues: String {
        members.declaresStorageMode ? " cachesValues: storageMode._cachesValues," : ""
    }

    private func whenReplaced(_ function: String) -> String {
        """
        \(function)(LayeredPrefs.PrefsExpansion.Callback(isolation: #isolation) { [weak self] in
                self?._$bind()
            })
        """
    }
}
