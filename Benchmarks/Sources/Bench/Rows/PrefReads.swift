#if Macros
    import CMeasuring
    import LayeredPrefs
    import Observation

    /// Reads of `@Pref` properties through five layers, compared with a plain `@Observable` property.
    enum PrefReads {
        static let group = "Reading a @Pref, five layers"
        static let plainly = "plain @Observable"
        static let kept = "@Pref, cachedReadStorageWrite"
        static let asked = "@Pref, storageOnly"

        static let rows = [
            Row("pref.int", in: group, "Int") { turns in
                try compare(&turns, limit: 0.35, peer: "read 2000") { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.int) } }, { for _ in 0..<$0 { keep(prefs.int) } },
                        { for _ in 0..<$0 { keep(asking.int) } }
                    )
                }
            },
            Row("pref.bool", in: group, "Bool") { turns in
                try compare(&turns, limit: 0.35) { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.bool) } }, { for _ in 0..<$0 { keep(prefs.bool) } },
                        { for _ in 0..<$0 { keep(asking.bool) } }
                    )
                }
            },
            Row("pref.double", in: group, "Double") { turns in
                try compare(&turns, limit: 0.35) { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.double) } },
                        { for _ in 0..<$0 { keep(prefs.double) } },
                        { for _ in 0..<$0 { keep(asking.double) } }
                    )
                }
            },
            Row("pref.string", in: group, "String of 10 bytes") { turns in
                try compare(&turns, limit: 0.7, peer: "readString 2000") { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.short) } }, { for _ in 0..<$0 { keep(prefs.short) } },
                        { for _ in 0..<$0 { keep(asking.short) } }
                    )
                }
            },
            Row("pref.string-long", in: group, "String of 47 bytes") { turns in
                try compare(&turns, limit: 0.7) { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.long) } }, { for _ in 0..<$0 { keep(prefs.long) } },
                        { for _ in 0..<$0 { keep(asking.long) } }
                    )
                }
            },
            Row("pref.dictionary", in: group, "[String: Int] of two") { turns in
                try compare(&turns, limit: 0.7) { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.table) } }, { for _ in 0..<$0 { keep(prefs.table) } },
                        { for _ in 0..<$0 { keep(asking.table) } }
                    )
                }
            },
            Row("pref.struct", in: group, "A struct of ten fields") { turns in
                try compare(&turns, limit: 1) { plain, prefs, asking in
                    (
                        { for _ in 0..<$0 { keep(plain.relay) } }, { for _ in 0..<$0 { keep(prefs.relay) } },
                        { for _ in 0..<$0 { keep(asking.relay) } }
                    )
                }
            },
            Row("pref.tracked", in: group, "Int inside withObservationTracking", measure: tracked),
        ]

        private typealias Loop = (Int) -> Void

        private static func compare(
            _ turns: inout Turns, limit: Double, peer: String? = nil,
            _ loops: (Plain, StackPrefs, StackPrefs) -> (plain: Loop, prefs: Loop, asking: Loop)
        ) throws {
            let layers = try FiveLayers()
            let plain = Plain(seed: 8443)
            let prefs = StackPrefs(layers.storage)
            let asking = StackPrefs(layers.storage, asksStorage: true)
            precondition(prefs.int == 8443 && prefs.table == plain.table && prefs.long == plain.long)
            precondition(asking.short == plain.short && asking.double == plain.double && asking.bool)
            let peers = peer.map {
                turns.contender(TypedReads.configuration, program: "PeerConfiguration", asking: $0)
            }
            let bodies = loops(plain, prefs, asking)
            try turns.alternate(
                [
                    .loop(plainly, .floor, body: bodies.plain), .loop(kept, .ours, body: bodies.prefs),
                    .loop(asked, .ours, body: bodies.asking),
                ] + (peers ?? []))
            turns.expect(kept, .atMost, limit, plainly)
            turns.expect(kept, .allocations, 0)
            if peer != nil { turns.expect(kept, .timesFaster, 500, TypedReads.configuration) }
        }

        private static func tracked(_ turns: inout Turns) throws {
            let layers = try FiveLayers()
            let plain = Plain(seed: 8443)
            let prefs = StackPrefs(layers.storage)
            precondition(prefs.int == plain.int)
            try turns.alternate([
                .loop(plainly, .floor) { count in
                    withObservationTracking {
                        for _ in 0..<count { keep(plain.int) }
                    } onChange: {
                    }
                },
                .loop(kept, .ours) { count in
                    withObservationTracking {
                        for _ in 0..<count { keep(prefs.int) }
                    } onChange: {
                    }
                },
            ])
            turns.expect(kept, .atMost, 1.1, plainly)
        }
    }
#endif
