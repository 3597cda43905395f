import PrefsDocuments

#if YAML
    extension Shape {
        private static func yaml(_ name: String, _ line: @escaping (Int) -> String) -> Shape {
            Shape("yaml-\(name)", .yaml) { Text($0) { line($0) + "\n" }.bytes }
        }

        private static func yaml(
            _ name: String, _ head: String, _ tail: String = "\n", _ part: @escaping (Int) -> String
        ) -> Shape {
            Shape("yaml-\(name)", .yaml) { Text(head, tail, size: $0, part).bytes }
        }

        static var yaml: [Shape] {
            [
                yaml("keys") { "k\($0): 1" },
                yaml("deep") { index in
                    (0..<60).map { "\n" + String(repeating: " ", count: $0) + "k\($0):" }.joined()
                        .dropFirst().replacing("k0:", with: "k\(index):") + " 1"
                },
                yaml("deep-braces") { index in
                    "k\(index): " + String(repeating: "{a: ", count: 60) + "1"
                        + String(repeating: "}", count: 60)
                },
                yaml("elements", "a:\n") { "  - \($0)\n" },
                yaml("brackets", "a: [1", "]\n") { ", \($0)" },
                yaml("small-elements", "a: [1", "]\n") { _ in ",1" },
                yaml("small-mappings") { "k\($0): {a: 1, b: 2}" },
                yaml("long-keys") { "\(String(repeating: "k", count: 1000))\($0): 1" },
                yaml("dotted-keys") { "\(String(repeating: "a.", count: 400))\($0): 1" },
                yaml("quoted-keys") { "\"\\u00e9\\n\($0)\": 'it''s'" },
                yaml("unicode") { "é\($0): 日本 😀" },
                yaml("marks-in-keys") { "\"a\(String(repeating: "\u{301}\u{316}", count: 15))\($0)\": 1" },
                yaml("comments") { "# \($0)" },
                yaml("blank-lines", "a: 1\n") { _ in "\n" },
                yaml("one-plain", "a: b") { _ in " b" },
                yaml("one-folded-plain", "a: b") { _ in "\n  b" },
                yaml("one-quoted", "a: \"", "\"\n") { _ in "\\u00e9 " },
                yaml("one-quoted-lines", "a: \"b", "\"\n") { _ in "\n  c" },
                yaml("one-literal", "a: |\n") { "  line \($0)\n" },
                yaml("one-folded", "a: >\n") { "  line \($0)\n" },
                yaml("literals") { "k\($0): |\n  a\n\n  b" },
                yaml("kept-lines") { "k\($0): |+\n  a\n\n" },
                yaml("anchors") { "k\($0): &a\($0) 1" },
                yaml("aliases", "base: &base {a: 1}\n") { "k\($0): *base\n" },
                yaml("many-aliases") { $0 % 2 == 0 ? "k\($0): &a\($0) b" : "k\($0): *a\($0 - 1)" },
                yaml("merges", "base: &base {a: 1}\n") { "k\($0):\n  <<: *base\n  b: 1\n" },
                // Each alias stands for two of the previous one, up to the limit.
                yaml("doubling", "a0: &a0 [1]\n") { "a\($0 + 1): &a\($0 + 1) [*a\($0), *a\($0)]\n" },
                editing("remove") { keys in keys.map { .remove([$0]) } },
                editing("remove-half") { keys in
                    keys.indices.filter { $0 % 2 == 0 }.map { .remove([keys[$0]]) }
                },
                editing("set") { keys in keys.map { .set([$0], to: "new") } }.memory(30),
                editing("one") { keys in [.set([keys[0]], to: 2), .remove([keys[1]])] },
                editing("set-literals", value: "|\n  a\n  b") { keys in keys.map { .set([$0], to: "c\nd\n") }
                }
                .memory(30),
                editing("remove-literals", value: "|+\n  a\n\n") { keys in keys.map { .remove([$0]) } },
                editing("remove-in-braces", in: ("a: {", "}\n"), separator: ", ") { keys in
                    keys.map { .remove(["a", $0]) }
                },
                editing("remove-half-in-braces", in: ("a: {", "}\n"), separator: ", ") { keys in
                    keys.indices.filter { $0 % 2 == 0 }.map { .remove(["a", keys[$0]]) }
                },
                editing("add-in-braces", in: ("a: {", "}\n"), separator: ", ") { keys in
                    keys.map { .set(["a", "new\($0)"], to: 1) }
                }.memory(30),
                editing("add-below", in: ("a:\n", "\n"), separator: "\n", indent: "  ") { keys in
                    keys.map { .set(["a", "new\($0)"], to: 1) }
                }.memory(30),
            ]
        }

        /// - Parameter ends: The beginning and the end of the file, before and after its entries.
        private static func editing(
            _ name: String, in ends: (String, String) = ("", "\n"), separator: String = "\n",
            indent: String = "", value: String = "1", _ edits: @escaping ([String]) -> [PrefsDocument.Edit]
        ) -> Shape {
            Shape("yaml-\(name)") { size in
                let count = size / (8 + separator.count + indent.count + value.count)
                let keys = (0..<count).map { "k\($0)" }
                let entries = keys.map { "\(indent)\($0): \(value)" }.joined(separator: separator)
                let text = ends.0 + entries + ends.1
                let document = try PrefsDocument(parsing: Array(text.utf8), as: .yaml)
                let edits = edits(keys)
                return {
                    let edited = try document.editing(edits)
                    precondition(edited != document.bytes)
                }
            }
        }
    }
#else
    extension Shape {
        static var yaml: [Shape] { [] }
    }
#endif
