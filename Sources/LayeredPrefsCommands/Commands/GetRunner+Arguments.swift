extension GetRunner {
    /// Parses the most common command lines: `get`, a key, and the options of `get`, each followed by its value.
    /// Returns `nil` for everything else, including mistakes; the real parser handles those.
    ///
    /// The real parser sets up the options of all commands. That takes several times as long as reading a key, and
    /// scripts call `get` in loops.
    init?(commonArguments: some Sequence<String>, of source: any PrefsCommandSource.Type) {
        layers = LayerRequest(source: source)
        var words = commonArguments.makeIterator()
        guard words.next() == "get" else { return nil }
        var key: String?
        while let word = words.next() {
            switch word {
            case "--json": isJSON = true
            case "--show-secrets", "--reveal": isRevealing = true
            case _ where word.hasPrefix("-"):
                guard let value = words.next(), !value.hasPrefix("-"), take(word, value) else { return nil }
            default:
                guard key == nil else { return nil }
                key = word
            }
        }
        guard let key else { return nil }
        self.key = key
    }

    /// Takes an option and its value. Returns false if only the real parser can handle them.
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
