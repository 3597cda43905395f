import LayeredPrefs

/// Whole configurations with many fields, and one with a large dictionary.
extension Shape {
    static var live: [Shape] {
        [
            // A field counts as 64 bytes. For each field, the stack keeps the key with its names, its coding and
            // its check.
            Shape("live-create") { size in
                let count = size / 64
                let layer = DictionaryPrefsStorage(values: WideSettings.contents(count, 1))
                let stack = WideSettings.stack(layer)
                return {
                    let live = try Live(WideSettings(count), stack)
                    precondition(live.current.values.count == count)
                }
            }.memory(200),
            Shape("live-reload") { size in
                let count = size / 64
                let layer = DictionaryPrefsStorage(values: WideSettings.contents(count, 1))
                let live = try Live(WideSettings(count), WideSettings.stack(layer))
                let next = WideSettings.contents(count, 2)
                return {
                    layer.update { $0 = next }
                    precondition(live.current.values.last == 2)
                }
            }.memory(200),
            // Edits one field many times, beside a dictionary that grows with the number of edits. If each edit
            // worked on the whole dictionary, the time would be quadratic.
            Shape("live-large-dictionary") { size in
                let stack = RoutedSettings.stack(size / 64)
                let live = try Live(RoutedSettings(), stack)
                return {
                    for limit in 1...size / 256 {
                        try stack.setValue(.integer(Int128(limit)), forKey: "limit", in: .overrides)
                        precondition(live.current.limit == limit)
                    }
                }
            },
        ]
    }
}
