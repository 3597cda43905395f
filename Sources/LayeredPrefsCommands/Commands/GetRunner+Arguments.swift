extension GetRunner {
    /// Parses the most common command lines: `get`, a key, and the options of `get`, each followed by its
    /// value. Returns `nil` for everything else, mistakes included, which is left to the parser.
    ///
    /// To set up the options of all commands, the parser takes several times as long as reading a key, and
    /// scripts call `get` in loops.
    init?(commonArguments: some Sequence<String>, of source: any PrefsCommandSource.Type) {
        layers = LayerRequest(source: source)
        var rest = Array(commonArguments)[...]
        guard rest.popFirst() == "get" else { return nil }
        var key: String?
        while let word = rest.popFirst() {
            if word.hasPrefix("-") {
                guard take(word, &rest) else { return nil }
            } else {
                guard key == nil else { return nil }
                key = word
            }
        }
        guard let key else { return nil }
        self.key = key
    }

    /// Parses an option and its value; returns false if that takes the real parser.
    private mutating func take(_ option: String, _ rest: inout ArraySlice<String>) -> Bool {
        switch option {
        case "--json": isJSON = true
        case "--show-secrets", "--reveal": isRevealing = true
        default:
            guard let value = rest.popFirst(), !value.hasPrefix("-") else { return false }
            return take(option, value)
        }
        return true
    }

    private mutating func take(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--domain", "-d": layers.domain = value
        case "--schema": layers.schema = value
        case "--default": fallback = value
        case "--layer": return append(try? LayerArgument.layer(value))
        case "--env": return append(try? LayerArgument.variables(value))
        case "--set": return append(try? LayerArgument.setting(value))
        case "--type":
            type = ValueType(argument: value)
            return type != nil
        default: return false
        }
        return true
    }

    private mutating func append(_ argument: LayerArgument?) -> Bool {
        guard let argument else { return false }
        layers.arguments.append(argument)
        return true
    }
}
