extension Live {
    /// Returns a part of the configuration, for a module that knows neither the type around it nor its name.
    ///
    /// ```swift
    /// let gateway = try Live(Gateway(), .daemon("gatewayd"))
    /// let limiter = try Limiter(gateway.part(\.limits))      // takes a Live<Limits>
    /// let tls = try gateway.part(\.tls)                      // of an optional section: a Live<TLS?>
    /// ```
    ///
    /// A part is a ``Live`` like the whole: it has ``current``, ``updates``, ``observe(_:)``, ``apply(_:_:)`` and
    /// ``update(_:)``, may be divided again, and is read as fast. Its observers and closures are called only if the part
    /// has changed. It shares the fields, the rule and the one order of `apply` closures with the whole, and keeps the
    /// configuration alive. ``isInconsistent`` is the state of the whole.
    ///
    /// Of an optional section, `current` is `nil` while the section is absent.
    ///
    /// A part has no rule of its own. What comes after the start would be unknown to the start and to `--check-config`; so
    /// let the module offer its rule as a function, and call it in the `rule:` of the whole.
    ///
    /// - Parameters:
    ///   - part: The part: a section, or a field.
    ///   - place: The path of the part in this configuration, such as `limits`. By default it is found: the part gets
    ///     another value in a copy, and what differs then in the stored form of the whole is its place.
    /// - Throws: ``PrefsError`` with the code `ambiguous` if nothing tells the part from others, so that you have to give its
    ///   place; `missing` if the part is not at the place that you give.
    public func part<Part: Codable & Sendable>(
        _ part: any WritableKeyPath<Value, Part> & Sendable, at place: String? = nil
    ) throws -> Live<Part> {
        Live<Part>(try content.part(part, at: place), of: storage, changes)
    }
}
