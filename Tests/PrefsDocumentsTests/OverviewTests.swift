import Foundation
import PrefsDocuments
import Testing

/// The example of the module's documentation. It uses only public API.
struct OverviewTests {
    private static func example(_ output: (String) -> Void) throws {
        // begin
        let file = """
            <plist version="1.0">
            <dict>
                <!-- Ask the network team before changing this. -->
                <key>http</key>
                <dict>
                    <key>port</key> <integer>8080</integer>
                </dict>
                <key>motd</key> <string>Welcome</string>
            </dict>
            </plist>
            """
        let document = try PrefsDocument(parsing: file, path: "/etc/myd.plist")

        // Walk the values, with their positions.
        for (key, node) in document.root.entries {
            print(key, "at", node.position?.description ?? "?", "is", node.kind)
        }
        let port = document.root["http"]?["port"]
        print(port?.value ?? "none")

        // Change one value and add one; the comment and the layout stay.
        let edited = try document.editing([
            .set(["http", "port"], to: 9090),
            .set(["http", "hosts"], to: ["a.example", "b.example"]),
            .remove(["motd"]),
        ])
        print(String(decoding: edited, as: UTF8.self))

        // An error names the file, the line and the column.
        do {
            _ = try PrefsDocument(parsing: #"{"port": 80,}"#, path: "/etc/myd.json")
        } catch {
            print(error)
        }
        // end

        func print(_ items: Any...) {
            output(items.map { "\($0)" }.joined(separator: " "))
        }
    }

    @Test func `the example prints what it promises`() throws {
        var lines: [String] = []
        try Self.example { lines.append($0) }
        #expect(
            lines == [
                "http at 4:5 is a dictionary",
                "motd at 8:5 is a string",
                "8080",
                """
                <plist version="1.0">
                <dict>
                    <!-- Ask the network team before changing this. -->
                    <key>http</key>
                    <dict>
                        <key>port</key> <integer>9090</integer>
                        <key>hosts</key>
                        <array>
                            <string>a.example</string>
                            <string>b.example</string>
                        </array>
                    </dict>
                </dict>
                </plist>
                """,
                "/etc/myd.json:1:13: expected a key in quotes, found “}”",
            ])
    }

    @Test func `the documentation shows this example`() throws {
        let test = try String(contentsOfFile: #filePath, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(test.firstIndex { $0.hasSuffix("// begin") })
        let end = try #require(test.firstIndex { $0.hasSuffix("// end") })
        let example = test[(begin + 1)..<end].map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }
            .joined(separator: "\n")
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = root.appending(path: "Sources/PrefsDocuments/PrefsDocuments.docc/PrefsDocuments.md")
        #expect(try String(contentsOf: guide, encoding: .utf8).contains(example))
    }
}
