import PrefsDocuments

/// The fields of a configuration type, learned from its default instance.
///
/// Each field is a key of its own, with everything that keys have: layers, locks, environment variables, validation,
/// provenance and documentation. A struct within the struct is represented by its own fields. An array, a dictionary and
/// an enum with payloads are one field each.
struct ConfigurationFields<Value: Codable & Sendable>: Sendable {
    /// A field: its place in the value, and the key that reads it.
    struct Field: Sendable {
        let place: [String]
        let key: PersistentKey<PrefsValue?>
        /// The name of the field's Swift type; empty if it is unknown.
        let typeName: String
        let isRequired: Bool
        /// True if the type around the field may be decoded without it.
        let isOptional: Bool
        /// The section around the field, if the default does not contain this section.
        let section: AbsentSection?
        /// The field's default in that section.
        let sectionDefault: PrefsValue?
        /// The paths of the key's names.
        let paths: [PrefsPath]
        /// The fields of the structs in the array, if the field is an array that may contain structs.
        let elements: ElementFields?

        /// Returns true if a layer sets the field, so that its default has no effect.
        func isSet(in snapshot: PrefsSnapshot) -> Bool { snapshot.resolution(for: key).origin != nil }
    }

    /// A section that the default does not contain. It exists if a layer sets one of its fields, or has a table for it,
    /// even an empty one.
    struct AbsentSection: Sendable {
        let place: [String]
        let name: PrefsKeyName

        /// Returns true if a layer has a table for the section.
        func hasTable(in snapshot: PrefsSnapshot) -> Bool {
            snapshot.candidates(for: name).contains {
                $0.value.kind == .dictionary && $0.rejection == nil
            }
        }
    }

    let fields: [Field]
    /// The sections that the default does not contain, outer sections first.
    let sections: [AbsentSection]
    /// The path of the configuration; empty for the root.
    let path: [String]
    /// Throws if a value as a whole is wrong.
    let rule: @Sendable (Value) throws -> Void
    /// The paths of all fields.
    let paths: [PrefsPath]
    let learned: LearnedFields
    /// The file that the program would write, which messages name as the place for missing values.
    var writtenFile: String?
    private let base: PrefsValue
    /// The structs that are decoded without the defaults of fields that no layer sets.
    private let absentFields: AbsentFields
    /// The indices of the fields by the paths of their names and sections. A change at such a path may change the field.
    private let indices: KeyTrie<Int>
    /// The indices of the fields by their places.
    private let indicesByPlace: KeyTrie<Int>
    /// The large parts of the value that was decoded last.
    private let decodedParts = RecentParts()
    /// The fields that need a restart, with their values at the program's start, and whether a layer had set them.
    private var started: [(field: Field, value: PrefsValue?, wasSet: Bool)] = []
    private var recent = RecentValues<Value>()

    /// - Parameters:
    ///   - defaults: The default instance.
    ///   - path: The path of the configuration; empty for the root.
    ///   - named: The options of fields by path, relative to the configuration.
    ///   - rule: Throws if a value as a whole is wrong.
    /// - Throws: ``PrefsError`` if the default has no stored form that can be decoded again, or if the options of a
    ///   field cannot be learned.
    init(
        _ defaults: Value, at path: String, named: [String: FieldOptions],
        rule: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) throws {
        let path = path.isEmpty ? [] : PrefsPath(path).components
        (self.path, self.rule) = (path, rule)
        let type = "\(Value.self)"
        learned = LearnedFields(named: named)
        guard let stored = try learned.encoding(of: defaults), stored.dictionary != nil else {
            throw PrefsError(
                .notEncodable,
                reason:
                    "\(type) cannot be a configuration: it is not stored as a dictionary of fields; use a struct"
            )
        }
        guard !PrefsValueDecoder().fields(of: stored, as: Value.self).wholes.contains([]) else {
            throw PrefsError(
                .unsupported,
                reason:
                    "\(type) cannot be a configuration: it decodes any keys, so its fields are unknown; decode it with"
                    + " coding keys, and keep free keys in a dictionary"
            )
        }
        base = stored
        let shapes = Self.shapes(of: Value.self, in: base, below: [], [])
        try learned.learn(Value.self, base)
        if let mismatch = PrefsValueDecoder().mismatch(of: base, as: Value.self) {
            throw PrefsError(
                .invalid, key: Self.key(of: mismatch, at: path),
                reason: "the default of \(type) is invalid: expected \(mismatch.expected)")
        }
        absentFields = AbsentFields(of: Value.self, default: base, PrefsValueDecoder())
        let shapesByPath = Dictionary(shapes.map { ($0.field.path, $0) }) { first, _ in first }
        for (name, options) in named.sorted(by: { $0.key < $1.key }) {
            let path = PrefsPath(name).components
            let outer = (0...path.count).lazy.compactMap { shapesByPath[Array(path.prefix($0))] }.first
            guard let outer,
                let field = InnerField(path.dropFirst(outer.field.path.count), of: outer.field.type)
            else {
                throw PrefsError(
                    .missing, key: name,
                    reason: "options are given for this field, but \(type) has no such field")
            }
            guard let checked = options.checkedType, let type = field.type else { continue }
            if (type as? any OptionalDecodable.Type)?.wrappedDecodable ?? type == checked { continue }
            throw PrefsError(
                .unsupported, key: name,
                reason: "the options are for a value of type \(checked), but the field's type is \(type)")
        }
        let (base, learned) = (base, learned)
        fields = shapes.map { shape in
            let (field, place) = (shape.field, shape.field.path)
            let key = Self.key(at: path, field, default: base.value(at: place[...]), learned)
            let section = shape.section.map { section in
                let name = PrefsPath(components: path + section).name
                return AbsentSection(place: section, name: PrefsKeyName(name))
            }
            return Field(
                place: place, key: key, typeName: field.type.map { "\($0)" } ?? "",
                isRequired: learned[place]?.isRequired == true, isOptional: field.isOptional,
                section: section, sectionDefault: shape.sectionDefault, paths: key.name.paths,
                elements: FieldCoding(type: field.type, place: place, learned: learned).elements(of: key.name)
            )
        }
        var places: Set<[String]> = []
        sections = fields.compactMap(\.section).filter { places.insert($0.place).inserted }
            .sorted { $0.place.count < $1.place.count }
        paths = fields.flatMap(\.paths)
        var (indices, indicesByPlace) = (KeyTrie<Int>(), KeyTrie<Int>())
        for (index, field) in fields.enumerated() {
            indices.add(index, at: field.paths + (field.section?.name.paths ?? []))
            indicesByPlace.add(index, at: [PrefsPath(components: field.place)])
        }
        (self.indices, self.indicesByPlace) = (indices, indicesByPlace)
    }

    /// Returns the fields of a part: the fields within it, or the field that contains it.
    ///
    /// - Parameter place: The names that lead to the part; empty for the whole.
    func fields(in place: [String]) -> [Field] {
        indicesByPlace.elements(touchedBy: [PrefsPath(components: place)]).map { fields[$0] }
    }

    /// Returns the paths where an edit may change a part: its fields, and the sections that the default does not
    /// contain, because any value in such a section makes it exist.
    ///
    /// - Parameter place: The names that lead to the part; empty for the whole.
    func observed(in place: [String]) -> [PrefsPath] {
        fields(in: place).flatMap(\.paths)
            + sections.filter { $0.place.overlaps(place) }.flatMap(\.name.paths)
    }

    /// Returns the value of a snapshot, or the problem of the value as a whole. Fields that need a restart have their values
    /// from the program's start.
    func value(in snapshot: PrefsSnapshot) -> Result<Value, PrefsError> { decoded(in: snapshot).value }

    /// Returns the value of a snapshot and its stored form; `nil` if the value as a whole has a problem. Equal
    /// values have the same stored form.
    func encoded(in snapshot: PrefsSnapshot) -> (value: Value, stored: PrefsValue)? {
        let entry = decoded(in: snapshot)
        guard case .success(let value) = entry.value else { return nil }
        return (value, entry.encoded(value) { encoded($0) })
    }

    /// Returns the fields that a change at some paths may change.
    func touched(by dirty: PathList) -> [Field] { indices.elements(touchedBy: dirty).map { fields[$0] } }

    /// Returns true if a change at some paths may change a field.
    func areTouched(by dirty: PathList) -> Bool { indices.firstTouching(in: dirty) != nil }

    /// Returns the fields that differ in two values.
    func changed(from before: PrefsValue, to after: PrefsValue) -> [Field] {
        fields.filter { after.value(at: $0.place[...]) != before.value(at: $0.place[...]) }
    }

    /// Decodes the value of a candidate. Only the changed fields are read again.
    func decode(_ candidate: PrefsSnapshot, since active: PrefsSnapshot, reading changed: [Field]) {
        guard let known = recent.known(active),
            let stored = readStored(in: candidate, since: known.stored, changed)
        else { return }
        _ = recent.entry(of: candidate) { entry(candidate, stored) }
    }

    private func decoded(in snapshot: PrefsSnapshot) -> RecentValues<Value>.Entry {
        recent.entry(of: snapshot) {
            entry(following: snapshot) ?? entry(snapshot, readStored(in: snapshot))
        }
    }

    /// Returns the value of a snapshot by reading only the fields that have changed since the previous snapshot; `nil` if that
    /// is not possible. For example, a write publishes other objects than it has checked, with the same contents.
    private func entry(following snapshot: PrefsSnapshot) -> RecentValues<Value>.Entry? {
        guard let (last, known) = recent.last else { return nil }
        let changed = touched(by: PrefsTransition.dirtyPaths(from: last, to: snapshot))
        if changed.isEmpty { return known }
        return readStored(in: snapshot, since: known.stored, changed).map { entry(snapshot, $0) }
    }

    private func entry(_ snapshot: PrefsSnapshot, _ stored: PrefsValue) -> RecentValues<Value>.Entry {
        var current = stored
        for (field, value, _) in started { current.put(value, at: field.place[...]) }
        if let missing = missing(in: snapshot).first { return RecentValues.Entry(stored, .failure(missing)) }
        return RecentValues.Entry(stored, obeyingRule(current) { isSet($0, in: snapshot) })
    }

    /// Returns the value of a stored form, or a problem if the rule rejects the value.
    ///
    /// - Parameter isSet: Returns true for a field that a layer sets.
    func obeyingRule(
        _ stored: PrefsValue, set isSet: @escaping @Sendable (Field) -> Bool
    ) -> Result<Value, PrefsError> {
        value(of: stored, set: isSet).flatMap { value in
            RuleCall.$isSet.withValue({ [self] in contains($0, in: stored, set: isSet) }) {
                obeyingRule(value)
            }
        }
    }

    private func obeyingRule(_ value: Value) -> Result<Value, PrefsError> {
        do {
            try rule(value)
            return .success(value)
        } catch {
            return .failure(problem(error, with: value, of: "a rule of the program"))
        }
    }

    /// Returns the problem of a value that the program rejects as a whole. Secrets in the program's sentence are
    /// masked.
    ///
    /// - Parameter critic: The part of the program that rejects it, for the message.
    func problem(_ error: any Error, with value: Value, of critic: String) -> PrefsError {
        var error = error as? PrefsError ?? PrefsError(.invalid, reason: "\(error)")
        error.reason = "rejected by \(critic): \(masking(error.reason, value))"
        error.related = error.related.map { problem($0, with: value, of: critic) }
        return error
    }

    /// Returns a sentence of the program about some values, with the secrets in these values masked.
    func masking(_ words: String, _ values: Value...) -> String {
        let secrets = values.map(encoded).flatMap { stored in
            fields.filter(\.key.traits.isSecret).compactMap { stored.value(at: $0.place[...]) }
        }
        return SecretPaths.masking(secrets, in: words)
    }

    /// Returns the value that a restarted program would have with a snapshot, or the problem of that value as a whole; `nil`
    /// if it is the same as ``value(in:)``.
    func valueAfterRestart(in snapshot: PrefsSnapshot) -> Result<Value, PrefsError>? {
        if waitingForRestart(in: snapshot).isEmpty { return nil }
        return obeyingRule(stored(in: snapshot)) { $0.isSet(in: snapshot) }
    }

    /// Returns the value of a snapshot's layers, without values from the program's start.
    func newestValue(in snapshot: PrefsSnapshot) -> Result<Value, PrefsError> {
        value(of: stored(in: snapshot)) { $0.isSet(in: snapshot) }
    }

    /// Returns the keys of the fields that a restart would change.
    func waitingForRestart(in snapshot: PrefsSnapshot) -> [String] {
        if started.isEmpty { return [] }
        let stored = stored(in: snapshot)
        return started.filter { stored.value(at: $0.field.place[...]) != $0.value }.map(\.field.key.id)
    }

    /// Returns these fields for a program that starts with a snapshot. Fields that need a restart keep their values.
    func started(with snapshot: PrefsSnapshot) -> Self {
        let stored = stored(in: snapshot)
        var fields = self
        fields.started = self.fields.filter { learned[$0.place]?.needsRestart == true }.map { field in
            (field, stored.value(at: field.place[...]), field.isSet(in: snapshot))
        }
        fields.recent = RecentValues()
        return fields
    }

    /// These fields for another start of the program, perhaps with another stack.
    var beforeStart: Self {
        var fields = self
        (fields.started, fields.recent) = ([], RecentValues())
        return fields
    }

    /// Returns the value of a stored form, or its problem.
    func value(of stored: PrefsValue) -> Result<Value, PrefsError> {
        var parts = decodedParts.take()
        defer { decodedParts.keep(parts) }
        return learned.decoder().value(of: stored, as: Value.self, reusing: &parts).mapError { mismatch in
            PrefsError(
                .invalid, key: Self.key(of: mismatch, at: path), reason: "expected \(mismatch.expected)")
        }
    }

    /// Returns the value of a stored form. A type that makes its own defaults is decoded from the set fields only.
    func value(
        of stored: PrefsValue, set isSet: (Field) -> Bool
    ) -> Result<Value, PrefsError> {
        if absentFields.isEmpty { return value(of: stored) }
        let (others, set) = fields.divided(by: isSet)
        return value(
            of: absentFields.removed(from: stored, set: set.map(\.place), others: others.map(\.place)))
    }

    /// Returns true if a layer sets a field, or had set it at the start if it needs a restart.
    func isSet(_ field: Field, in snapshot: PrefsSnapshot) -> Bool {
        started.first { $0.field.place == field.place }?.wasSet ?? field.isSet(in: snapshot)
    }

    /// Returns true if a stored form sets a field, a field of a section, or a part of a field.
    ///
    /// - Parameter path: The path of the field, the section or the part, relative to the configuration.
    private func contains(_ path: String, in stored: PrefsValue, set isSet: (Field) -> Bool) -> Bool {
        let place = PrefsPath(path).components
        return fields(in: place).contains { field in
            isSet(field) && (field.place.starts(with: place) || stored.value(at: place[...]) != nil)
        }
    }

    /// Returns the key of the wrong part of a configuration at a path; `nil` for the configuration as a whole.
    private static func key(of mismatch: PrefsMismatch, at path: [String]) -> String? {
        let key = (path.isEmpty ? "" : PrefsPath(components: path).name) + mismatch.path.suffix
        return key.isEmpty ? nil : String(key.drop { $0 == "." })
    }

    /// Returns the stored form of a snapshot's layers.
    func stored(in snapshot: PrefsSnapshot) -> PrefsValue { decoded(in: snapshot).stored }

    /// Returns the stored form after a change of some fields; `nil` if all fields must be read.
    private func readStored(
        in snapshot: PrefsSnapshot, since earlier: PrefsValue, _ changed: [Field]
    ) -> PrefsValue? {
        var stored = earlier
        for field in changed {
            // Whether a section still exists without a field depends on all its fields.
            guard let value = snapshot.get(field.key) else { return nil }
            stored.insert(value, at: field.place[...])
        }
        return stored
    }

    private func readStored(in snapshot: PrefsSnapshot) -> PrefsValue {
        var stored = base
        for field in fields {
            guard let value = snapshot.get(field.key) else { continue }
            stored.insert(value, at: field.place[...])
        }
        // An empty table makes a section exist, with its defaults.
        for section in sections
        where stored.value(at: section.place[...]) == nil && section.hasTable(in: snapshot) {
            stored.insert(.dictionary([:]), at: section.place[...])
        }
        return stored
    }

    /// Warnings about options that are not known, and about fields that no file can set to `nil`.
    var warnings: [PrefsError] { learned.warnings + neverAbsent }

    /// Warnings about fields that are optional although their default is not `nil`: no file can set them to `nil`.
    private var neverAbsent: [PrefsError] {
        let optional = fields.filter { $0.isOptional && base.value(at: $0.place[...]) != nil }
        return neverAbsent(among: optional[...]).map { field in
            PrefsError(
                .unsupported, key: field.key.id,
                reason:
                    "no file can set this optional field to nil, because its default is not nil; make the default nil, or the"
                    + " field not optional"
            )
        }
    }

    /// Returns the fields that are `nil` in the decoded value if the stored form lacks them. All fields are removed at once,
    /// or half of them if the type cannot be decoded then.
    private func neverAbsent(among optional: ArraySlice<Field>) -> [Field] {
        if optional.isEmpty { return [] }
        var without = base
        for field in optional { without.cut(field.place[...], clearingTheWay: false) }
        guard case .success(let value) = value(of: without) else {
            if optional.count == 1 { return [] }
            let middle = optional.startIndex + optional.count / 2
            return neverAbsent(among: optional[..<middle]) + neverAbsent(among: optional[middle...])
        }
        let stored = encoded(value)
        return optional.filter { stored.value(at: $0.place[...]) == nil }
    }

    /// Returns the stored form of a value. Equal values have the same stored form.
    func encoded(_ value: Value) -> PrefsValue {
        ((try? PrefsValueEncoder().encode(value)) ?? nil) ?? .dictionary([:])
    }
}

extension ConfigurationFields {
    /// A field of a type.
    private struct Shape {
        let field: DecodedField
        /// The section around it that the default does not contain, and the field's default in it.
        let section: [String]?
        let sectionDefault: PrefsValue?
    }

    /// Returns the fields of a type, including the fields of sections that the default does not contain.
    ///
    /// - Parameters:
    ///   - stored: The defaults of the type.
    ///   - path: The place of the section that the type is; empty for the whole configuration.
    private static func shapes<Section: Decodable>(
        of type: Section.Type, in stored: PrefsValue, below path: [String], _ outer: [any Decodable.Type]
    ) -> [Shape] {
        PrefsValueDecoder().shape(of: type, in: stored).flatMap { field -> [Shape] in
            let inner = outer + [type]
            var field = field
            let ownDefault = stored.value(at: field.path[...])
            field.path = path + field.path
            guard ownDefault == nil, let section = field.type as? any PrefsSection.Type,
                !inner.contains(where: { $0 == section }),
                let defaults = (try? PrefsValueEncoder().encode(section.init())) ?? nil
            else {
                return [
                    Shape(
                        field: field, section: path.isEmpty ? nil : path,
                        sectionDefault: path.isEmpty ? nil : ownDefault)
                ]
            }
            return shapes(of: section, in: defaults, below: field.path, inner)
        }
    }

    /// Returns the key that reads a field.
    private static func key(
        at path: [String], _ field: DecodedField, default stored: PrefsValue?, _ learned: LearnedFields
    ) -> PersistentKey<PrefsValue?> {
        let place = field.path
        var coding = FieldCoding(type: field.type, place: place, learned: learned)
        coding.isBoolean = PrefsStoredType.isBoolean(field: field.type)
        var key = PersistentKey<PrefsValue?>(
            PrefsPath(components: path + place).name, .value(stored), makeCoding: { [coding] in coding })
        var traits = PrefsKeyTraits<PrefsValue?>()
        let options = learned[place] ?? FieldOptions()
        traits.isSecret = learned.options(below: place).all.values.contains(where: \.isSecret)
        traits.needsRestart = options.needsRestart
        traits.documentation = options.documentation
        traits.environmentName = options.environmentName
        let section = path + place.dropLast()
        traits.formerNames = options.formerNames.map { PrefsPath(components: section + [$0]).name }
        var limits = options.limits
        limits.values = limits.values ?? field.allowedValues
        if limits != PrefsStoredType.Limits() { traits.state(limits) }
        if options.check != nil {
            traits.check { [coding] in $0.flatMap { coding.complaint(about: $0, options) } }
        }
        traits.condition = options.condition
        key.declare(traits)
        return key
    }
}

/// The coding of a field. A value is a stored form that the field's type can decode.
///
/// Its type is a field of a `Sendable` configuration; a metatype itself never changes.
struct FieldCoding: PrefsCoding, FlagCoding, @unchecked Sendable {
    let type: (any Decodable.Type)?
    let place: [String]
    let learned: LearnedFields
    /// True if a command-line flag of the field needs no value.
    var isBoolean = false

    private var decoder: PrefsValueDecoder { learned.decoder(below: place) }

    func encode(_ value: PrefsValue?) -> PrefsValue? { value }

    func decode(_ stored: PrefsValue) -> PrefsValue?? {
        guard let type else { return .some(stored) }
        let isRight =
            learned.missing(in: stored, at: place, limit: 1).isEmpty
            && (try? decoder.decode(type, from: stored)) != nil
            && learned.rejected(in: stored, at: place, limit: 1).isEmpty
        return isRight ? .some(stored) : nil
    }

    func storedForm(ofText text: String) -> PrefsValue? { PrefsText.storedForm(of: text, as: type) }

    func mismatch(of stored: PrefsValue) -> PrefsMismatch {
        learned.missing(in: stored, at: place, limit: 1).first
            ?? type.flatMap { decoder.mismatch(of: stored, as: $0) }
            ?? learned.rejected(in: stored, at: place, limit: 1).first ?? PrefsMismatch(expected: expectation)
    }

    var expectation: String { type.map { "a stored \($0)" } ?? "a value" }

    /// Returns the fields of the structs in the value of a key with this coding; `nil` unless it is an array that
    /// may contain structs.
    func elements(of key: PrefsKeyName) -> ElementFields? {
        guard ElementShape.mayBeArray(of: type) else { return nil }
        return ElementFields(of: key) { ElementShape(of: type) }
    }

    var storedType: PrefsStoredType { PrefsStoredType(ofField: type).adding(learned.options(below: place)) }

    /// Returns the reason why the field's own validation rejects a stored form.
    func complaint(about stored: PrefsValue, _ options: FieldOptions) -> String? {
        guard let type, let value = try? PrefsValueDecoder().decode(type, from: stored) else { return nil }
        return options.check?(value)
    }
}

extension [String] {
    /// Returns true if one of two places is within the other.
    fileprivate func overlaps(_ other: [String]) -> Bool { starts(with: other) || other.starts(with: self) }
}

extension Array {
    /// Returns the elements that do not fulfil a condition, and those that do.
    fileprivate func divided(by condition: (Element) -> Bool) -> (others: [Element], fulfilling: [Element]) {
        reduce(into: ([], [])) { if condition($1) { $0.1.append($1) } else { $0.0.append($1) } }
    }
}

/// A call of the rule over a configuration.
enum RuleCall {
    /// Returns true if a layer sets a field of the configuration, by its path.
    @TaskLocal static var isSet: (@Sendable (_ path: String) -> Bool)?
}
