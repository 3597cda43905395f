extension PrefsFileFormat {
    /// Parses the whole file and validates every value in it.
    ///
    /// - Parameters:
    ///   - path: The file's path, for errors.
    ///   - isStrict: Rejects duplicate keys instead of warning about them.
    ///   - root: The required kind of the outermost value; `nil` for any.
    package func parse(
        _ bytes: [UInt8],
        path: String? = nil,
        limits: PrefsLimits = .standard,
        strict isStrict: Bool = false,
        root: PrefsValue.Kind? = .dictionary
    ) throws(PrefsError) -> PrefsDocument {
        let (decoded, encoding) = try decode(bytes, path: path, limits: limits)
        let text = DocumentText(bytes: decoded, format: self)
        do {
            let builder = DocumentBuilder(text, limits: limits, isStrict: isStrict)
            let document = PrefsDocument(try scan(builder), encoding: encoding, path: path)
            try document.checkRoot(is: root)
            return document
        } catch let failure {
            throw failure.error(in: text, path: path)
        }
    }

    /// Parses a file whose format is detected from its name and first bytes.
    package static func parse(
        _ bytes: [UInt8], path: String?, limits: PrefsLimits = .standard, strict: Bool = false
    ) throws(PrefsError) -> PrefsDocument {
        try detecting(bytes: bytes, path: path).parse(bytes, path: path, limits: limits, strict: strict)
    }

    /// Returns the content as a new file: keys sorted, with the layout of Apple's tools.
    package func serialize(_ content: [String: PrefsValue]) throws(PrefsError) -> [UInt8] {
        switch name {
        case .xml: try XMLWriter.file(.dictionary(content))
        case .binary: try BinaryWriter.file(.dictionary(content))
        case .json: try JSONWriter.file(.dictionary(content))
        }
    }

    private func scan(_ builder: DocumentBuilder) throws(ScanFailure) -> DocumentBuilder {
        switch name {
        case .xml:
            var scanner = XMLScanner(builder)
            return try scanner.scan()
        case .binary:
            var scanner = try BinaryScanner(builder)
            return try scanner.scan()
        case .json:
            var scanner = JSONScanner(builder)
            return try scanner.scan()
        }
    }

    private func decode(
        _ bytes: [UInt8], path: String?, limits: PrefsLimits
    ) throws(PrefsError) -> ([UInt8], TextEncoding) {
        guard bytes.count <= limits.effectiveFileSize else {
            throw PrefsError(
                .tooLarge, origin: PrefsOrigin(file: path),
                reason: "\(bytes.count) bytes; the limit is \(limits.effectiveFileSize)")
        }
        guard self != .binaryPropertyList else { return (bytes, .utf8) }
        let encoding = TextEncoding(detecting: bytes)
        do {
            return (try encoding.decode(bytes), encoding)
        } catch let failure {
            throw PrefsError(
                failure.code, origin: PrefsOrigin(file: path, position: .byte(failure.offset)),
                reason: failure.reason)
        }
    }
}

extension PrefsDocument {
    fileprivate func checkRoot(is kind: PrefsValue.Kind?) throws(ScanFailure) {
        guard let kind, root.kind != kind else { return }
        throw ScanFailure(Int(nodes[0].start), "expected \(kind) as the outermost value, found \(root.kind)")
    }
}
