extension PrefsDocument {
    /// Parses a whole file and validates every value in it.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file. XML and JSON may be in UTF-8, UTF-16 or UTF-32, with or without a byte
    ///     order mark; TOML and YAML are in UTF-8.
    ///   - format: The format of the file; `nil` to detect it (see ``PrefsFileFormat/detecting(bytes:path:)``).
    ///   - path: The path of the file, for the detection and for errors. The file is not read.
    ///   - limits: The limits on the file's size and structure.
    ///   - isStrict: Whether duplicate keys are errors instead of warnings.
    ///   - root: The required kind of the outermost value; `nil` for any.
    /// - Throws: `syntax` or `tooLarge`, with the position of the problem.
    public convenience init(
        parsing bytes: [UInt8],
        as format: PrefsFileFormat? = nil,
        path: String? = nil,
        limits: PrefsLimits = .standard,
        strict isStrict: Bool = false,
        root: PrefsValue.Kind? = .dictionary
    ) throws(PrefsError) {
        let used = format ?? .detecting(bytes: bytes, path: path)
        let (decoded, encoding) = try used.decode(bytes, path: path, limits: limits)
        let text = DocumentText(bytes: decoded, format: used)
        do {
            // Hand the builder over directly: a second reference would make its first write copy it.
            self.init(
                try used.scan(DocumentBuilder(text, limits: limits, isStrict: isStrict)),
                encoding: encoding, path: path)
            try checkRoot(is: root)
        } catch {
            var failure = error
            if format == nil, failure.isOfOtherFormat, let remark = path.flatMap(PrefsFileFormat.remark) {
                failure.reason += "; \(remark)"
            }
            throw failure.error(in: text, path: path)
        }
    }

    /// Parses a new revision of a file, with the parameters of the other initializer.
    ///
    /// - Parameter old: The previous revision; `nil` if there is none. If only scalars changed, the new document
    ///   reuses most of it.
    package convenience init(
        parsing bytes: [UInt8], replacing old: PrefsDocument?, as format: PrefsFileFormat?, path: String?,
        limits: PrefsLimits
    ) throws(PrefsError) {
        let text = DocumentText(bytes: bytes, format: format ?? .detecting(bytes: bytes, path: path))
        if let old, let edits = ScalarEdits(from: old, to: text, limits: limits) {
            self.init(text, edits, of: old)
        } else {
            try self.init(parsing: bytes, as: format, path: path, limits: limits)
        }
    }

    /// Parses text. The parameters are the same as for bytes.
    public convenience init(
        parsing text: String,
        as format: PrefsFileFormat? = nil,
        path: String? = nil,
        limits: PrefsLimits = .standard,
        strict isStrict: Bool = false,
        root: PrefsValue.Kind? = .dictionary
    ) throws(PrefsError) {
        try self.init(
            parsing: Array(text.utf8), as: format, path: path, limits: limits, strict: isStrict, root: root)
    }

    private func checkRoot(is kind: PrefsValue.Kind?) throws(ScanFailure) {
        guard let kind, root.kind != kind else { return }
        throw ScanFailure(Int(nodes[0].start), "expected \(kind) as the outermost value, found \(root.kind)")
    }
}

extension PrefsFileFormat {
    fileprivate func scan(_ builder: consuming DocumentBuilder) throws(ScanFailure) -> DocumentBuilder {
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
        case .toml:
            var scanner = TOMLScanner(builder.text, limits: builder.limits)
            return try scanner.scan()
        #if YAML
            case .yaml:
                var scanner = YAMLScanner(builder.text, limits: builder.limits)
                return try scanner.scan()
        #else
            case .yaml:
                throw ScanFailure(
                    0, "this program cannot read YAML: it was built without the trait YAML of LayeredPrefs",
                    code: .unsupported)
        #endif
        }
    }

    fileprivate func decode(
        _ bytes: [UInt8], path: String?, limits: PrefsLimits
    ) throws(PrefsError) -> ([UInt8], TextEncoding) {
        guard bytes.count <= limits.effectiveFileSize else {
            throw PrefsError(
                .tooLarge, origin: PrefsOrigin(file: path),
                reason: "\(bytes.count) bytes; the limit is \(limits.effectiveFileSize)")
        }
        guard self != .binaryPropertyList else { return (bytes, .utf8) }
        let encoding = self == .toml || self == .yaml ? .utf8 : TextEncoding(detecting: bytes)
        do {
            return (try encoding.decode(bytes), encoding)
        } catch let failure {
            throw PrefsError(
                failure.code, origin: PrefsOrigin(file: path, position: .byte(failure.offset)),
                reason: failure.reason)
        }
    }
}
