import SwiftSyntax

/// The code that creates a preference's key and options at run time.
struct DeclarationExpansion {
    private let pref: PrefDeclaration
    private var attribute: AttributeSyntax { pref.attribute }

    init(_ pref: PrefDeclaration) { self.pref = pref }

    /// The expression that creates the key from its name, type, default and coding.
    var expression: String {
        if pref.flavor == .raw {
            return "LayeredPrefs.PrefsExpansion.rawKey(\(pref.keyName))"
        }
        let arguments = [pref.keyName] + typeAndDefault + coding
        return "LayeredPrefs.PrefsExpansion.key(\(arguments.joined(separator: ", ")))"
    }

    private var typeAndDefault: [String] {
        if let wrapped = pref.wrappedType { return ["optional: (\(wrapped)).self"] }
        let value = "default: \(pref.defaultCode)"
        return pref.type.map { ["(\($0)).self", value] } ?? [value]
    }

    private var coding: [String] {
        if let coding = pref.flavor.coding, let type = pref.wrappedType ?? pref.type {
            return ["coding: LayeredPrefs.\(coding)<\(type)>()"]
        }
        if let encode = attribute.argument("encode"), let decode = attribute.argument("decode") {
            return [
                "coding: LayeredPrefs.ClosurePrefsCoding(encode: \(encode.trimmed), decode: \(decode.trimmed))"
            ]
        }
        return attribute.argument("coding").map { ["coding: \($0.trimmed)"] } ?? []
    }

    /// The statements that set all other `options`.
    var options: String {
        var lines = ["options.swiftType = \((pref.type?.description ?? "").debugDescription)"]
        if let text = pref.documentation { lines.append("options.documentation = \(text.debugDescription)") }
        if let range = attribute.argument("in") { lines.append("options.limit(to: \(range.trimmed))") }
        if let closure = attribute.argument("validate") {
            let check = pref.wrappedType == nil ? "check" : "checkWrapped"
            let phrase = attribute.argument("condition")?.trimmedDescription ?? "nil"
            lines.append("options.\(check)(\(phrase), \(closure.trimmed))")
        }
        for (label, property) in Self.properties {
            guard let value = attribute.argument(label) else { continue }
            lines.append("options.\(property) = \(value.trimmed)")
        }
        if !pref.formerNames.isEmpty {
            let names = pref.formerNames.map(\.description).joined(separator: ", ")
            lines.append("options.formerNames = [\(names)]")
        }
        return lines.joined(separator: "\n    ")
    }

    private static let properties = [
        ("secret", "isSecret"), ("env", "environmentName"), ("merge", "merge"),
        ("needsRestart", "needsRestart"), ("debugOnly", "isDebugOnly"), ("releaseValue", "releaseValue"),
    ]
}
