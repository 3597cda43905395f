import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Checks a schema or group class as a whole.
struct SchemaCheck {
    let attribute: AttributeSyntax
    let schema: SchemaClass
    let members: SchemaMembers
    let kind: SchemaKind

    /// All mistakes to report, each once.
    var mistakes: [PrefMistake] {
        observable + storage + names + environmentNames + formerNames
    }

    private var observable: [PrefMistake] {
        guard let twice = schema.declaration.attributes.first(named: "Observable") else { return [] }
        return [PrefMistake(twice, .observableTwice(attribute.name))]
    }

    private var storage: [PrefMistake] {
        if kind == .group {
            return [members.storage, members.storageMode].compactMap(\.self).map {
                PrefMistake($0, .groupStorage)
            }
        }
        return [missingStorage].compactMap(\.self) + misnamed(members.storage, "storage")
            + misnamed(members.storageMode, "storageMode")
    }

    /// True if the schema has no member named `storage` of any kind.
    var lacksStorage: Bool {
        kind == .schema && !members.declaresStorage
            && !([members.storage].compactMap(\.self) + members.otherVariables).contains {
                $0.variableNames.contains("storage")
            }
    }

    private var missingStorage: PrefMistake? {
        guard members.storage == nil else { return nil }
        if let plain = members.otherVariables.first(where: { $0.variableNames.contains("storage") }) {
            return PrefMistake(plain, .plainStorage)
        }
        guard !members.declaresStorage else { return nil }
        return PrefMistake(attribute, .noStorage, fixIts: [addStorage])
    }

    private var addStorage: FixIt {
        let block = schema.declaration.memberBlock
        let indent = block.members.first?.leadingTrivia.description ?? "\n    "
        let storage: DeclSyntax = "\(raw: indent)@Storage var storage = .dictionary"
        let item = MemberBlockItemSyntax(decl: storage)
        return .replace(
            block, with: block.with(\.members, [item] + block.members),
            "add '@Storage var storage = .dictionary'")
    }

    private func misnamed(_ variable: VariableDeclSyntax?, _ wanted: String) -> [PrefMistake] {
        guard let variable, let name = variable.variableNames.first, name != wanted else { return [] }
        return [PrefMistake(variable.bindings, .storageName(name, wanted))]
    }

    private var names: [PrefMistake] {
        repeated(\.literalKeyName) { .sameKey($0, $1, $2) }
    }

    private var formerNames: [PrefMistake] {
        var present: [String: String] = [:]
        for pref in members.prefs { present[pref.literalKeyName ?? ""] = pref.name }
        return members.prefs.flatMap { pref in
            pref.formerNames.compactMap { $0.literalString }.compactMap { name in
                guard let other = present[name], other != pref.name else { return nil }
                return PrefMistake(pref.attribute, .formerlyAnother(name, pref.name, other))
            }
        }
    }

    /// Preferences with the same environment variable. Preferences with the same key share their variable, too,
    /// and are reported for the key only.
    private var environmentNames: [PrefMistake] {
        repeated(\.environmentName, except: \.literalKeyName) { .sameEnvironmentName($0, $1, $2) }
    }

    private func repeated(
        _ property: KeyPath<PrefDeclaration, String?>,
        except other: KeyPath<PrefDeclaration, String?>? = nil,
        _ message: (String, String, String) -> PrefsMessage
    ) -> [PrefMistake] {
        var first: [String: PrefDeclaration] = [:]
        return members.prefs.compactMap { pref in
            guard let name = pref[keyPath: property] else { return nil }
            guard let earlier = first[name] else {
                first[name] = pref
                return nil
            }
            if let other, let value = pref[keyPath: other], value == earlier[keyPath: other] { return nil }
            return PrefMistake(pref.attribute, message(name, earlier.name, pref.name))
        }
    }
}
