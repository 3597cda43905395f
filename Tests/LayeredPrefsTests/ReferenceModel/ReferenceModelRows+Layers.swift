extension ModelRow {
    static let writes = [
        ModelRow(
            "by default the topmost persistent writable layer", [.set("http.port", 5)],
            .typed("http.port", 5, from: "user home/main"), .outcomes([.effective])),
        ModelRow(
            "a layer that takes no writes throws", [.set("http.port", 5, in: "environment")],
            .outcomes([.refusedNotWritable]), .commits(false)),
        ModelRow(
            "a write that a higher layer shadows says so",
            [.start(environment: ["http.port": "4"]), .set("http.port", 5)],
            .shadowedBy("environment held"), .typed("http.port", 4, from: "environment held")),
        ModelRow(
            "a drop-in of the same layer shadows too",
            [.writeFile(.user.dropIn("10-a.plist"), ["http.port": 4]), .set("http.port", 5)],
            .shadowedBy("user home/10-a.plist")),
        ModelRow(
            "a typed write that something refused lies above is effective",
            [.start(environment: ["http.port": "many"]), .set("http.port", 5, typed: true)],
            .outcomes([.effective]), .typed("http.port", 5, from: "user home/main")),
        ModelRow(
            "other layers' values are never copied into a file",
            [.writeFile(.etc, ["http": ["host": "h"]]), .set("http.port", 5)],
            .file(.user, ["http": ["port": 5]])),
        ModelRow(
            "setting nil removes from that layer; what lies beneath shows through",
            [.writeFile(.etc, ["http.port": 1]), .set("http.port", 5), .set("http.port", nil)],
            .typed("http.port", 1, from: "system etc/main"), .outcomes([.effective])),
        ModelRow(
            "a broken file is not overwritten", [.breakFile(.user, version: 1), .set("http.port", 5)],
            .outcomes([.refusedBroken]), .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a typed write that its validator refuses is not made", [.set("http.port", 0, typed: true)],
            .outcomes([.refusedInvalid]), .commits(false)),
        ModelRow(
            "a transaction is one generation",
            [
                .transaction(
                    [
                        ModelWrite(path: "pool.min", value: 20), ModelWrite(path: "pool.max", value: 30),
                        ModelWrite(path: "verbose", value: true, layer: "overrides"),
                    ], writesOthers: false)
            ],
            .outcomes([.effective, .effective, .effective]),
            .events(["typed pool.max: 10 -> 30", "typed pool.min: 1 -> 20", "typed verbose: false -> true"])),
        ModelRow(
            "when one write of it is refused none is made", [.transaction(oneRefused, writesOthers: false)],
            .outcomes([.abandoned, .refusedNotWritable]), .commits(false)),
        ModelRow(
            "unless the others are asked for", [.transaction(oneRefused, writesOthers: true)],
            .outcomes([.effective, .refusedNotWritable]), .typed("verbose", true, from: "user home/main")),
    ]

    private static let oneRefused = [
        ModelWrite(path: "verbose", value: true),
        ModelWrite(path: "verbose", value: true, layer: "arguments"),
    ]

    static let locks = [
        ModelRow(
            "a locked key takes its value from the locking layer",
            [
                .writeFile(.etc, ["http.port": 1]), .writeFile(.user, ["http.port": 2]),
                .writeLocks(.etc, lines: ["# policy", "", "http.port  # why"]),
            ], .typed("http.port", 1, from: "system etc/main"), .lock("http.port", "system"),
            .events([
                "raw http: [\"port\": 2] -> [\"port\": 1]", "raw http.port: 2 -> 1",
                "typed http: [\"port\": 2] -> [\"port\": 1]", "typed http.port: 2 -> 1",
            ])),
        ModelRow(
            "or below",
            [.start(["http.port": 3]), .set("http.port", 2), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 3, from: "defaults held")),
        ModelRow(
            "or the key's own default", [.set("http.port", 2), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "whatever lies above, overrides and arguments included",
            [
                .start(arguments: ["http.port": "4"]), .set("http.port", 2, in: "overrides"),
                .writeLocks(.usr, lines: ["http.port"]), .writeFile(.run, ["http.port": 1]),
            ], .typed("http.port", 1, from: "system run/main")),
        ModelRow(
            "and everything beneath", [.set("http.port", 2), .writeLocks(.etc, lines: ["http"])],
            .typed("http.port", 8080, from: nil), .lock("http.host", "system")),
        ModelRow(
            "a prefix is whole names", [.set("http.port", 2), .writeLocks(.etc, lines: ["htt"])],
            .typed("http.port", 2, from: "user home/main")),
        ModelRow(
            "and former names: a locked key is not read under one",
            [.writeFile(.user, ["port": 2]), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 8080, from: nil), .raw("port", nil)),
        ModelRow(
            "a lock on the former name locks the present one",
            [.writeFile(.user, ["http.port": 2]), .writeLocks(.etc, lines: ["port"])],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "both spellings",
            [
                .writeFile(.user, ["http.port": 2, "http": ["port": 3]]),
                .writeLocks(.etc, lines: ["http.port"]),
            ],
            .raw("http.port", nil)),
        ModelRow(
            "a write above a locking layer throws",
            [.writeLocks(.etc, lines: ["http"]), .set("http.port", 2)],
            .outcomes([.refusedByLock(layer: "system")]), .commits(false)),
        ModelRow(
            "an administrator may still write the locking layer itself",
            [.writeLocks(.etc, lines: ["http"]), .set("http.port", 2, in: "system")],
            .outcomes([.effective]), .typed("http.port", 2, from: "system etc/main")),
        ModelRow(
            "of two locks the lower one holds",
            [
                .start(["http.port": 3]), .set("http.port", 2, in: "system"),
                .raiseLock("http.port", layer: "defaults"), .raiseLock("http.port", layer: "user"),
            ], .typed("http.port", 3, from: "defaults held"), .lock("http.port", "defaults")),
        ModelRow(
            "if the locks cannot be read, every key that layer sets is locked",
            [
                .writeFile(.run, ["http": ["port": 1]]), .set("http.port", 2), .set("http.host", "u"),
                .breakLocks(.etc, version: 1),
            ],
            .typed("http.port", 1, from: "system run/main"), .typed("http.host", "u", from: "user home/main")),
        ModelRow(
            "and what they said before still holds",
            [.set("http.host", "u"), .writeLocks(.etc, lines: ["http.host"]), .breakLocks(.etc, version: 1)],
            .typed("http.host", "localhost", from: nil)),
        ModelRow(
            "locks that vanish lock nothing",
            [.set("http.host", "u"), .writeLocks(.etc, lines: ["http.host"]), .deleteLocks(.etc)],
            .typed("http.host", "u", from: "user home/main")),
        ModelRow(
            "files of locks do not count in a directory that a variable names",
            [
                .set("http.host", "u"), .writeLocks(.extra, lines: ["http.host"]),
                .breakLocks(.user, version: 1),
            ],
            .typed("http.host", "u", from: "user home/main"), .lock("http.host", nil)),
        ModelRow(
            "a lock made in code ends when it is lowered",
            [
                .set("verbose", true), .raiseLock("verbose", layer: "system"),
                .lowerLock("verbose", layer: "system"),
            ],
            .events(["typed verbose: false -> true"]), .lock("verbose", nil)),
    ]

    private static let lockedPort: [ModelOperation] = [
        .writeFile(.etc, ["http": ["port": 1, "host": "s"]]), .writeLocks(.etc, lines: ["http.port"]),
    ]

    static let locksOverAncestors = [
        ModelRow(
            "a raw dictionary above cannot change what is locked beneath",
            lockedPort + [.writeFile(.user, ["http": ["port": 9, "host": "u"]])],
            .raw("http", ["port": 1, "host": "u"])),
        ModelRow(
            "nor can a typed one that replaces as a whole",
            lockedPort + [.writeFile(.user, ["http": ["port": 9, "host": "u"]])],
            .typed("http", ["port": 1, "host": "u"], from: "user home/main")),
        ModelRow(
            "nor one that leaves it out", lockedPort + [.writeFile(.user, ["http": ["host": "u"]])],
            .typed("http", ["port": 1, "host": "u"], from: "user home/main")),
        ModelRow(
            "nor a deep merge",
            [
                .writeFile(.etc, ["limits": ["soft": 1]]), .writeLocks(.etc, lines: ["limits.soft"]),
                .writeFile(.user, ["limits": ["soft": 5, "hard": 9]]),
            ], .typed("limits", ["soft": 1, "hard": 9, "open": 16], from: "user home/main")),
        ModelRow(
            "a non-dictionary that would hide a locked value is not read",
            lockedPort + [.writeFile(.user, ["http": "off"])], .raw("http", ["port": 1, "host": "s"])),
        ModelRow(
            "where nothing locked is beneath it is read",
            [.writeLocks(.etc, lines: ["http.port"]), .writeFile(.user, ["http": "off"])], .raw("http", "off")
        ),
        ModelRow(
            "a write of the ancestor that says something of the locked key throws",
            lockedPort + [.set("http", ["port": 9])], .outcomes([.refusedByLock(layer: "system")])),
        ModelRow(
            "one that does not is made", lockedPort + [.set("http", ["host": "u"])], .outcomes([.effective]),
            .raw("http", ["port": 1, "host": "u"])),
    ]

    static let changes = [
        ModelRow(
            "touching a file is no change", [.writeFile(.user, ["http.port": 1]), .touchFile(.user)],
            .commits(false), .events([])),
        ModelRow(
            "rewriting equal content is no change",
            [.writeFile(.user, ["http.port": 1]), .writeFile(.user, ["http.port": 1])], .commits(false)),
        ModelRow(
            "an observer of http hears of changes beneath it",
            [.writeFile(.user, ["http": ["tls": ["cert": "c"]]])],
            .events([
                "raw http: nil -> [\"tls\": [\"cert\": \"c\"]]", "raw http.tls: nil -> [\"cert\": \"c\"]",
                "raw http.tls.cert: nil -> \"c\"",
                "typed http: [\"port\": 80] -> [\"tls\": [\"cert\": \"c\"]]",
            ])),
        ModelRow(
            "a shadowed change is a generation and no value event",
            [.writeFile(.user, ["verbose": true]), .writeFile(.etc, ["verbose": true])],
            .commits(true), .events([]), .shadowed("verbose", ["system etc/main"])),
        ModelRow(
            "the same value from elsewhere is no value event",
            [.writeFile(.etc, ["verbose": true]), .writeFile(.user, ["verbose": true])], .commits(true),
            .events([]), .typed("verbose", true, from: "user home/main")),
        ModelRow(
            "a removal changes to the value beneath",
            [.writeFile(.etc, ["verbose": true]), .writeFile(.user, ["verbose": false]), .deleteFile(.user)],
            .events(["typed verbose: false -> true"])),
        ModelRow(
            "a rejected edit is no event for a typed observer when the value beneath is the same",
            [.writeFile(.user, ["ratio": "x"])], .commits(true), .events([])),
        ModelRow(
            "an empty file that appears changes nothing", [.writeFile(.user, [:])], .commits(false)),
        ModelRow(
            "a burst is told from its first old value to its last new one",
            [.burst([.writeFile(.user, ["verbose": true]), .writeFile(.etc, ["ratio": 0.25])])],
            .events(["typed ratio: 0.5 -> 0.25", "typed verbose: false -> true"])),
    ]
}
