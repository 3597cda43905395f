import LayeredPrefs

/// Whole configurations of many fields, and with a large one.
extension Shape {
    static var live: [Shape] {
        [
            // Of a field of 64 bytes, the stack knows the key with its names, its coding and its check.
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
            // One field is edited, many times, beside a dictionary that grows with the number of edits: work on the
            // whole dictionary at each edit would be quadratic.
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
