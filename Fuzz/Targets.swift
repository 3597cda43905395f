// The fuzzer's entry point. Every input is parsed. If that succeeds, the target does everything with the result
// that a program may do, and checks invariants. A failed check traps, and the fuzzer reports a crash.

import Glibc
import PrefsDocuments

/// The target to fuzz, from the environment: `xml`, `binary`, `json`, `toml`, `yaml`, `dotenv`, `edit`, `keys`,
/// `locks`, `texts` or `compressed`.
private let target: String = {
    guard let name = unsafe getenv("LAYEREDPREFS_FUZZ") else { return "xml" }
    return unsafe String(cString: name)
}()

/// Checks one input. libFuzzer calls it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    limitWork(on: bytes) { check(bytes) }
    return 0
}

/// Traps if the work takes too much processor time for its input. An input of 20,000 bytes may take 1.2 seconds
/// under AddressSanitizer, which is ten times as long as any input should take.
///
/// Only this thread's time counts. But other programs share the processor's caches, so the best of three runs
/// decides.
private func limitWork(on bytes: [UInt8], _ work: () -> Void) {
    let limit = Duration.milliseconds(200) + .microseconds(50) * bytes.count
    let isLimited = (0..<3).contains { _ in processorTime(work) <= limit }
    precondition(isLimited, "an input of \(bytes.count) bytes takes more than \(limit)")
}

private func processorTime(_ work: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    work()
    return now() - start
}

private func check(_ bytes: [UInt8]) {
    switch target {
    case "binary": checkParsing(bytes, as: .binaryPropertyList)
    case "json": checkParsing(bytes, as: .json)
    case "toml": checkParsing(bytes, as: .toml)
    case "yaml": checkYAML(bytes)
    case "dotenv": checkVariables(bytes)
    case "edit": checkEditing(bytes)
    case "keys": checkKeys(bytes)
    case "locks": checkLocks(bytes)
    case "texts": checkTexts(bytes)
    case "compressed": checkCompressed(bytes)
    default: checkParsing(bytes, as: .xmlPropertyList)
    }
}

/// Checks that the place of every variable and problem is within the file, and that reading is deterministic.
private func checkVariables(_ bytes: [UInt8]) {
    let text = DotEnvText(parsing: bytes, path: "/f")
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    for position in text.variables.values.map(\.position) + text.problems.compactMap(\.origin?.position) {
        guard case .line(let line, let column?) = position else { fatalError("a place has no column") }
        precondition((1...lines).contains(line) && column >= 1)
    }
    precondition(text.problems.allSatisfy { $0.origin?.position != nil && !$0.description.isEmpty })
    precondition(DotEnvText(parsing: bytes, path: "/f").variables == text.variables)
}

private let limits = PrefsLimits(fileSize: 1 << 20, depth: 64, values: 100_000)

private func checkParsing(_ bytes: [UInt8], as format: PrefsFileFormat) {
    do {
        let document = try PrefsDocument(parsing: bytes, as: format, path: "/f", limits: limits, root: nil)
        check(document)
        guard document.root.kind == .dictionary else { return }
        checkRoundTrip(document)
    } catch {
        precondition(!error.description.isEmpty)
        precondition(error.origin?.position != nil || error.code == .tooLarge)
    }
    _ = try? PrefsDocument(parsing: bytes, as: format, limits: limits, strict: true)
}

private func check(_ document: PrefsDocument) {
    precondition(document.root.hasSameContent(as: document.root))
    _ = document.root.value.description
    for warning in document.warnings { precondition(!warning.description.isEmpty) }
    // An empty file is valid TOML, but has no positions.
    if !document.bytes.isEmpty { checkNode(document.root) }
}

private func checkNode(_ node: PrefsNode) {
    precondition(node.position != nil)
    var count = 0
    for (key, value) in node.entries {
        count += 1
        guard let found = node[key] else { fatalError("an enumerated entry is not found by its key") }
        precondition(found.position == value.position && found.kind == value.kind)
        checkNode(value)
    }
    for element in node.elements {
        checkNode(element)
        count += 1
    }
    precondition(count == node.count)
}

/// Checks that content reads back unchanged from every format that can represent it.
private func checkRoundTrip(_ document: PrefsDocument) {
    let content = document.content
    for format in PrefsFileFormat.readable {
        guard let written = try? format.serialize(content) else { continue }
        guard let again = try? PrefsDocument(parsing: written, as: format) else {
            fatalError("serialized content is not readable")
        }
        precondition(again.warnings.isEmpty)
        guard let twice = try? format.serialize(again.content), twice == written else {
            fatalError("serializing again gives a different result")
        }
        // XML loses fractions of seconds, and TOML the smallest ones. XML, TOML and YAML lose the payload bits of
        // NaN.
        guard format != .xmlPropertyList, format != .toml, format != .yaml else { continue }
        precondition(again.content == content)
        precondition(again.root.hasSameContent(as: document.root))
        precondition(document.root.hasSameContent(as: again.root))
    }
}

/// Interprets the first bytes as edits and the rest as the document to edit.
private func checkEditing(_ bytes: [UInt8]) {
    guard bytes.count > 8 else { return }
    let format = [PrefsFileFormat.xmlPropertyList, .json, .toml, .binaryPropertyList][Int(bytes[0] & 3)]
    checkEditing(bytes, as: format)
}

/// Parses a YAML file. Then interprets the first bytes as edits and the rest as the file to edit.
private func checkYAML(_ bytes: [UInt8]) {
    #if YAML
        checkParsing(bytes, as: .yaml)
        if bytes.count > 8 { checkEditing(bytes, as: .yaml) }
    #endif
}

extension PrefsFileFormat {
    /// The formats that this program reads.
    fileprivate static var readable: [PrefsFileFormat] {
        let formats: [PrefsFileFormat] = [.xmlPropertyList, .binaryPropertyList, .json, .toml]
        #if YAML
            return formats + [.yaml]
        #else
            return formats
        #endif
    }
}

private func checkEditing(_ bytes: [UInt8], as format: PrefsFileFormat) {
    guard let document = try? PrefsDocument(parsing: Array(bytes[8...]), as: format, limits: limits) else {
        return
    }
    for index in 1..<8 {
        var next = document.bytes
        next[Int(bytes[index]) * 251 % next.count] = bytes[8 - index]
        checkNext(next, after: document)
    }
    let edits = edits(for: document, from: Array(bytes[1..<8]))
    guard let merged = try? EditTree(edits) else { return }
    var expected = document.content
    let works = (try? merged.apply(to: &expected)) != nil
    guard let written = try? document.editing(edits) else {
        // An edit of an anchored value, or of an alias, may be rejected.
        precondition(
            !works || format == .yaml || (try? format.serialize(expected)) == nil,
            "an edit failed that should work")
        return
    }
    precondition(works)
    guard let result = try? PrefsDocument(parsing: written, as: format) else {
        fatalError("an edit broke the file")
    }
    // A TOML table without a header ends with its last key.
    let isSame =
        format == .toml
        ? result.content.withoutEmptyTables == expected.withoutEmptyTables : result.content == expected
    precondition(isSame, "an edit changed something else")
    checkNext(written, after: document)
}

/// Checks that a revision of a file is the same, whether or not it reuses values of the previous revision.
private func checkNext(_ bytes: [UInt8], after document: PrefsDocument) {
    let whole = try? PrefsDocument(parsing: bytes, as: document.format, limits: limits)
    let next = try? PrefsDocument(
        parsing: bytes, replacing: document, as: document.format, path: nil, limits: limits)
    guard let whole, let next else { return precondition(whole == nil && next == nil) }
    precondition(places(in: next) == places(in: whole))
    precondition(next.root.hasSameContent(as: whole.root))
    precondition(differences(from: document, to: next) == differences(from: document, to: whole))
}

/// Returns the position of each value.
private func places(in document: PrefsDocument) -> [PrefsPosition?] {
    var places: [PrefsPosition?] = []
    func visit(_ node: PrefsNode) {
        places.append(node.position)
        for (_, value) in node.entries { visit(value) }
        for element in node.elements { visit(element) }
    }
    visit(document.root)
    return places
}

private func differences(from old: PrefsDocument, to new: PrefsDocument) -> [PrefsPath] {
    var paths: [PrefsPath] = []
    new.root.forEachDifference(from: old.root, at: nil) { paths.append($0) }
    return paths
}

private func edits(for document: PrefsDocument, from bytes: [UInt8]) -> [PrefsDocument.Edit] {
    var keys: [[String]] = [["new"], ["new", "inner"], ["new", "other"]]
    for (key, value) in document.root.entries {
        keys.append([key])
        keys += value.entries.map { [key, $0.key] }
    }
    let values: [PrefsValue?] = [nil, 1, "<&>\"\\\n", true, [:], ["a": ["b": 1.5]], [1, []]]
    return stride(from: 0, to: 6, by: 2).map { index in
        PrefsDocument.Edit(
            path: keys[Int(bytes[index]) % keys.count], value: values[Int(bytes[index + 1]) % values.count])
    }
}

extension [String: PrefsValue] {
    fileprivate var withoutEmptyTables: Self {
        compactMapValues { value in
            guard case .dictionary(let content) = value else { return value }
            let inner = content.withoutEmptyTables
            return inner.isEmpty ? nil : .dictionary(inner)
        }
    }
}
