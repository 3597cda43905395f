/// Parts of a TOML file for a sample, whose entries are commented out.
package enum TOMLSample {
    /// Returns `listen.port = 8080`, on one line.
    package static func pair(_ path: [String], _ value: PrefsValue) throws(PrefsError) -> String {
        var writer = TOMLWriter(newline: "")
        try writer.writePair(path, value, indent: "")
        return String(decoding: writer.output, as: UTF8.self)
    }
}
