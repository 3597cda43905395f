import Foundation
import TestSupport

/// A version of PrefsKit's README, and how the test compiles each of its code blocks.
struct PrefsKitReadme {
    let readme: Readme
    let snippets: [Snippet]
    /// The numbers of the blocks that are not compiled, each with the reason.
    let leftOut: [Int: String]
    /// The folders of checks that apply to this version.
    let checks: [String]

    /// The English README of the latest release.
    static var newest: PrefsKitReadme? {
        Readme { $0.contains("\n# PrefsKit") && $0.contains("@RawPref") }.map {
            PrefsKitReadme(
                readme: $0, snippets: beginning + newestCodings + newestStorage,
                leftOut: views, checks: ["Common", "Newest"])
        }
    }

    /// A version from before `@RawPref` and the collection codings.
    static var older: PrefsKitReadme? {
        Readme { $0.contains("\n# PrefsKit") && !$0.contains("@RawPref") }.map {
            PrefsKitReadme(
                readme: $0, snippets: beginning + olderCodings + olderStorage,
                leftOut: views, checks: ["Common", "Older"])
        }
    }

    /// The Chinese translation. Its copy has lost the fences around the code.
    static var translation: Readme? {
        Readme { $0.contains("@PrefsSchema") && !$0.contains("```swift") }
    }

    private static let views = [2: "uses SwiftUI", 3: "uses SwiftUI"]

    /// Returns the blocks as sources by file name.
    func sources() throws -> [String: String] {
        var sources: [String: String] = [:]
        for snippet in snippets {
            sources["block\(snippet.number).swift"] = try snippet.source(
                of: readme.blocks, import: "PrefsKit")
        }
        sources["table.swift"] = Self.schema(of: readme.inlineDeclarations)
        return sources
    }

    /// Returns a schema with the declarations in the table of value types.
    private static func schema(of declarations: [String]) -> String {
        let members = declarations.enumerated().map {
            $1.replacingOccurrences(of: "var x:", with: "var x\($0 + 1):")
        }
        return """
            import Foundation
            import PrefsKitCompatibility
            @PrefsSchema final class ValueTypes {
            @Storage var storage = .dictionary
            \(members.joined(separator: "\n"))
            }
            """
    }
}

extension PrefsKitReadme {
    /// The first snippets of both versions.
    private static let beginning = [
        Snippet(number: 1, name: "QuickStart"),
        Snippet(number: 4, name: "IntegersAsInt", numbering: "foo", lacksStorage: true),
        Snippet(number: 5, name: "IntegersAsString", numbering: "foo", lacksStorage: true),
        Snippet(number: 6, name: "BoolAsInt", lacksStorage: true),
        Snippet(number: 7, name: "BoolAsString", lacksStorage: true),
        Snippet(number: 8, name: "DateAsString", lacksStorage: true),
        Snippet(number: 9, name: "URLAsString", lacksStorage: true),
        Snippet(number: 10, name: "ErasedStorage"),
        Snippet(number: 11, name: "InjectedDictionary"),
        Snippet(number: 12, name: "KeyNaming", place: .schema, numbering: "foo"),
        Snippet(number: 13),
        Snippet(number: 14, name: "FruitByMacro", lacksStorage: true),
        Snippet(number: 15, name: "FruitByCoding", lacksStorage: true),
    ]

    private static func codable(from number: Int) -> [Snippet] {
        [
            Snippet(number: number),
            Snippet(number: number + 1, name: "DeviceByMacro", numbering: "device", lacksStorage: true),
            Snippet(number: number + 2, name: "DeviceByCoding", numbering: "device", lacksStorage: true),
        ]
    }

    private static func customCodings(from number: Int) -> [Snippet] {
        [
            Snippet(
                number: number,
                restoring: [("/* ... */", "if value.isEmpty { return nil } else { self.value = value }")]),
            Snippet(number: number + 1, name: "InlineCoding", lacksStorage: true),
            Snippet(number: number + 2, name: "CustomCoding", lacksStorage: true),
            Snippet(
                number: number + 3, name: "Composed", restoring: [("MyType", "Content")], lacksStorage: true),
            Snippet(number: number + 4, name: "DynamicKeys", lacksStorage: true),
        ]
    }

    private static func actors(_ whole: Int, _ partly: Int) -> [Snippet] {
        [
            Snippet(
                number: whole, name: "OnTheMainActor", restoring: [("/* ... */", "@Pref var foo: Int?")],
                lacksStorage: true),
            Snippet(number: partly, name: "PartlyOnTheMainActor"),
        ]
    }
}

extension PrefsKitReadme {
    private static let newestCodings =
        [
            Snippet(number: 16, name: "FruitArray", lacksStorage: true),
            Snippet(number: 17, name: "FruitDictionary", lacksStorage: true),
            Snippet(number: 21, name: "DeviceArrays", numbering: "device", lacksStorage: true),
            Snippet(number: 22, name: "DeviceDictionaries", numbering: "device", lacksStorage: true),
            Snippet(number: 28, name: "MixedCollections", lacksStorage: true),
        ] + codable(from: 18) + customCodings(from: 23)

    private static let newestStorage =
        [
            Snippet(number: 29, name: "Imported"),
            Snippet(number: 30, name: "Loading", restoring: [("let prefs", "let loading")]),
            loading(31, "loadFile", "file: String", "URL(/* ... */)", "URL(fileURLWithPath: file)"),
            loading(32, "loadData", "bytes: [UInt8]", "Data(/* ... */)", "Data(bytes)"),
            // The README contains an unmatched closing parenthesis.
            loading(33, "loadText", "text: String", "/* plist XML string */)", "text"),
            Snippet(number: 34, name: "LoadingValues", restoring: [("let prefs", "let loadingValues")]),
            loading(
                35, "loadValues", "values: [String: any PrefsStorageValue]", "/* ... */", "values",
                into: "loadingValues"),
            loading(
                36, "loadAny", "values: [String: Any]", "/* ... */", "values", into: "loadingValues"),
            Snippet(number: 37, name: "Exporting", restoring: [("let prefs", "let exporting")]),
            exporting(
                38, "exportFile", parameters: "file: String",
                ("URL(/* ... */)", "URL(fileURLWithPath: file)")),
            exporting(39, "exportData", result: "Data", ("let data =", "return")),
            exporting(40, "exportText", result: "String", ("let xmlString =", "return")),
        ] + actors(41, 42)

    private static let olderCodings =
        codable(from: 16) + customCodings(from: 19)
        + [Snippet(number: 24, name: "MixedByStorage", lacksStorage: true)] + actors(25, 26)

    /// The snippets use the newest version's names of the update policies.
    private static let olderStorage = [
        Snippet(number: 27, name: "Imported"),
        Snippet(number: 28, name: "Loading", restoring: [("let prefs", "let loading")]),
        // This block contains a line of another block.
        loading(
            29, "loadFile", "file: String", "URL(/* ... */)", "URL(fileURLWithPath: file)",
            also: [("let plistContent: [String: Any] = /* ... */\n", ""), replacing]),
        loading(30, "loadData", "bytes: [UInt8]", "Data(/* ... */)", "Data(bytes)", also: [replacing]),
        loading(
            31, "loadText", "text: String", "/* plist XML string */)", "text", also: [replacing]),
        Snippet(number: 32, name: "LoadingValues", restoring: [("let prefs", "let loadingValues")]),
        loading(
            33, "loadValues", "values: [String: any PrefsStorageValue]", "/* ... */", "values",
            into: "loadingValues", also: [merging, ("plistContent", "newContent")]),
        loading(
            34, "loadAny", "values: [String: Any]", "/* ... */", "values", into: "loadingValues",
            also: [merging]),
        Snippet(number: 35, name: "Exporting", restoring: [("let prefs", "let exporting")]),
        exporting(
            36, "exportFile", parameters: "file: String", ("URL(/* ... */)", "URL(fileURLWithPath: file)")),
        exporting(37, "exportData", result: "Data", ("try prefs", "return try prefs")),
        exporting(38, "exportText", result: "String", ("try prefs", "return try prefs")),
    ]

    private static let replacing = (".replacingStorage", ".reinitializing")
    private static let merging = (".mergingWithStorage", ".updating")

    private static func loading(
        _ number: Int, _ name: String, _ parameters: String, _ lost: String, _ whole: String,
        into prefs: String = "loading", also: [(String, String)] = []
    ) -> Snippet {
        Snippet(
            number: number, name: name, place: .function(parameters: parameters),
            restoring: [(lost, whole), ("prefs.", "\(prefs).")] + also)
    }

    private static func exporting(
        _ number: Int, _ name: String, parameters: String = "", result: String? = nil,
        _ change: (String, String)
    ) -> Snippet {
        Snippet(
            number: number, name: name, place: .function(parameters: parameters, result: result),
            restoring: [change, ("prefs.", "exporting.")])
    }
}
