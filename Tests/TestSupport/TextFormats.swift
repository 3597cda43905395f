package import PrefsDocuments

extension PrefsFileFormat {
    /// The text formats that this build reads.
    package static var texts: [PrefsFileFormat] {
        let formats: [PrefsFileFormat] = [.xmlPropertyList, .json, .toml]
        #if YAML
            return formats + [.yaml]
        #else
            return formats
        #endif
    }
}
