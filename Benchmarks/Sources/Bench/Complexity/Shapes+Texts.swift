import Foundation
import LayeredPrefs
import PrefsDocuments

/// Variables, arguments, names and codings.
extension Shape {
    static var texts: [Shape] {
        [
            Shape("environment") { size in
                let variables = (0..<size / 20).map { ("MYD_HTTP_PORT\($0)", "\($0)") }
                let environment = Dictionary(uniqueKeysWithValues: variables)
                return {
                    let storage = EnvironmentPrefsStorage(prefix: "MYD_", environment: environment)
                    let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                        PrefsLayer(.environment, storage)
                    }
                    stack.declare(PersistentKey("http.port", defaultValue: 0))
                    stack.reportUnknownKeys()
                    precondition(stack.get(PersistentKey("http.port1", defaultValue: 0)) == 1)
                }
            },
            Shape("arguments") { size in
                let arguments = (0..<size / 20).map { "--set=http.port\($0)=\($0)" }
                return { precondition(ArgumentsPrefsStorage(arguments).snapshot["http.port7"] == "7") }
            },
            Shape("one-argument") { size in
                let argument = "--set=a=" + String(repeating: "e\u{301}\u{316}", count: size / 5)
                return { precondition(ArgumentsPrefsStorage([argument]).snapshot["a"] != nil) }
            },
            // The program reads an array. Each element takes 16 bytes in the array and two in the variable.
            list("one-list-variable") { Array("MYD_K=\(String(repeating: "a,", count: $0 / 2))".utf8) }
                .memory(45),
            list("one-quoted-variable") {
                Array("MYD_K=[\(String(repeating: "\"a\\n\",", count: $0 / 6))\"a\"]".utf8)
            },
            Shape("names-read") { size in
                let stack = PrefsStack {
                    PrefsLayer(.user, DictionaryPrefsStorage(values: ["key7": 1]))
                }
                let keys = (0..<size / 16).map { PersistentKey("key\($0)", defaultValue: 0) }
                return { precondition(keys.reduce(0) { $0 + stack.get($1) } == 1) }
            },
            Shape("names-changed") { size in
                // The memory for the names of all keys and for the values is the program's decision.
                let names = (0..<size / 16).map { "key\($0)" }
                let values = DictionaryPrefsStorage()
                let stack = PrefsStack { PrefsLayer(.user, values) }
                for name in names { _ = stack.get(PersistentKey(name, defaultValue: 0)) }
                return { values.update { content in for name in names { content[name] = 1 } } }
            }.memory(30),
            Shape("rejected-elements") { size in
                let elements = (0..<size / 16).map { PrefsValue.string("\($0)") }
                let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
                    PrefsLayer(.user, DictionaryPrefsStorage(values: ["a": .array(elements)]))
                }
                let key = PersistentKey("a", defaultValue: [1])
                return {
                    stack.declare(key)
                    precondition(stack.get(key) == [1])
                    precondition(!stack.explanation(for: key).description.isEmpty)
                }
            },
        ]
    }

    /// One variable that is read as a list and as a dictionary.
    private static func list(_ name: String, _ variable: @escaping (Int) -> [UInt8]) -> Shape {
        Shape(name) { size in
            let text = String(decoding: variable(size), as: UTF8.self)
            let pair = text.split(separator: "=", maxSplits: 1).map(String.init)
            return {
                let storage = EnvironmentPrefsStorage(prefix: "MYD_", environment: [pair[0]: pair[1]])
                precondition(storage.get(PersistentKey("k", defaultValue: [String]())).count > 1)
                _ = storage.get(PersistentKey("k", defaultValue: ["a": 1]))
            }
        }
    }
}
