import Foundation
import LayeredPrefs
import Testing

@testable import LayeredPrefsCommands

@Suite struct DocumentCommentsTests {
    private static let toml = """
        # The server.
        # Second line
        host = "a # no comment" # behind

        [http]  # the table
        port = 80
        # above the list
        list = [1, # one
          2]
        text = \"\"\"
        # no comment \\" \"\"\"\"

        [[route]]
        path = '# no'
        [[route]]
        # second route
        path = "b"
        # the end
        """

    private func converted(_ text: String, from: PrefsFileFormat, to format: PrefsFileFormat) throws -> String
    {
        let document = try PrefsDocument(parsing: text, as: from)
        let bytes = try format.serialize(document.content)
        let result = try DocumentComments(of: document).added(to: bytes, in: format)
        #expect(try PrefsDocument(parsing: result, as: format).content == document.content)
        return String(decoding: result, as: UTF8.self)
    }

    @Test func `comments of TOML are kept above their entries in XML`() throws {
        let xml = try converted(Self.toml, from: .toml, to: .xmlPropertyList)
        let lines = xml.split(separator: "\n").map { $0.drop { $0 == "\t" } }
        func isAbove(_ comment: String, _ line: String) -> Bool {
            lines.firstIndex(of: "<!-- \(comment) -->").map {
                lines[($0 + 1)...].first { !$0.hasPrefix("<!--") } == Substring(line)
            }
                ?? false
        }
        #expect(isAbove("The server.", "<key>host</key>"))
        #expect(isAbove("Second line", "<key>host</key>"))
        #expect(isAbove("behind", "<key>host</key>"))
        #expect(isAbove("the table", "<key>http</key>"))
        #expect(isAbove("above the list", "<key>list</key>"))
        #expect(isAbove("one", "<integer>1</integer>"))
        #expect(isAbove("second route", "<key>path</key>"))
        #expect(lines.last == "<!-- the end -->")
        #expect(xml.ranges(of: "<!--").count == 8)
    }

    @Test func `comments survive the way there and back`() throws {
        let xml = try converted(Self.toml, from: .toml, to: .xmlPropertyList)
        let again = try converted(xml, from: .xmlPropertyList, to: .toml)
        for comment in [
            "The server.", "Second line", "behind", "the table", "above the list", "one", "the end",
        ] {
            #expect(again.contains("# \(comment)\n"))
        }
        #expect(again.contains("[[route]]\n# second route\npath = \"b\""))
    }

    @Test func `comments of XML of several lines, and hyphens`() throws {
        let xml = """
            <plist><!-- a
                 b --><dict>
            <!----><key>x</key><integer>1</integer><!-- c--><key>y</key><string><![CDATA[<!-- no -->]]></string>
            </dict></plist><!--d-->
            """
        let toml = try converted(xml, from: .xmlPropertyList, to: .toml)
        #expect(toml == "# a\n# b\n#\n# c\nx = 1\ny = \"<!-- no -->\"\n# d\n")
        let back = try converted("# a -- b ---\nx = 1\n", from: .toml, to: .xmlPropertyList)
        #expect(back.contains("<!-- a - - b - - - -->"))
    }

    @Test func `formats without comments have none`() throws {
        let document = try PrefsDocument(parsing: "# a\nx = 1\n", as: .toml)
        let json = try PrefsFileFormat.json.serialize(document.content)
        #expect(try DocumentComments(of: document).added(to: json, in: .json) == json)
        #expect(DocumentComments(of: try PrefsDocument(parsing: json, as: .json)).isEmpty)
        #expect(DocumentComments(of: .empty).isEmpty)
    }

    #if YAML
        @Test func `comments of YAML survive the way to TOML and back`() throws {
            let text = """
                # The server.
                http: # the section
                  port: 80 # behind
                  # about the text
                  text: |
                    # no comment
                list:
                  # the first
                  - "a # no"
                  - 'b'' # no'
                "odd # \\u00e9 # key": x#y # odd
                # the end

                """
            let document = try PrefsDocument(parsing: text, as: .yaml)
            func converted(_ document: PrefsDocument, to format: PrefsFileFormat) throws -> PrefsDocument {
                let bytes = try format.serialize(document.content)
                return try PrefsDocument(
                    parsing: try DocumentComments(of: document).added(to: bytes, in: format), as: format)
            }
            let toml = try converted(document, to: .toml)
            #expect(toml.content == document.content)
            let yaml = try converted(toml, to: .yaml)
            #expect(yaml.content == document.content)
            let result = String(decoding: yaml.bytes, as: UTF8.self)
            for comment in [
                "The server.", "the section", "behind", "about the text", "the first", "odd", "the end",
            ] {
                #expect(result.contains("# \(comment)\n"), "\(comment)\n\(result)")
            }
            #expect(
                result.components(separatedBy: "\n").count { $0.drop { $0 == " " }.hasPrefix("#") } == 8,
                "\(result)")
        }
    #endif
}
