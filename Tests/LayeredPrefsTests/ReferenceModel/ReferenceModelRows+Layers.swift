@testable import PrefsReferenceModel

extension ModelRow {
    static let writes = [
        ModelRow(
            "a write goes to the topmost persistent writable layer by default", [.set("http.port", 5)],
            .typed("http.port", 5, from: "user home/main"), .outcomes([.effective])),
        ModelRow(
            "a write to a read-only layer throws", [.set("http.port", 5, in: "environment")],
            .outcomes([.rejectedNotWritable]), .commits(false)),
        ModelRow(
            "a write that a higher layer shadows reports that layer",
            [.start(environment: ["http.port": "4"]), .set("http.port", 5)],
            .shadowedBy("environment held"), .typed("http.port", 4, from: "environment held")),
        ModelRow(
            "a drop-in of the same layer shadows a write",
            [.writeFile(.user.dropIn("10-a.plist"), ["http.port": 4]), .set("http.port", 5)],
            .shadowedBy("user home/10-a.plist")),
        ModelRow(
            "a typed write below a rejected value is effective",
            [.start(environment: ["http.port": "many"]), .set("http.port", 5, typed: true)],
            .outcomes([.effective]), .typed("http.port", 5, from: "user home/main")),
        ModelRow(
            "other layers' values are never copied into a file",
            [.writeFile(.etc, ["http": ["host": "h"]]), .set("http.port", 5)],
            .file(.user, ["http": ["port": 5]])),
        ModelRow(
            "setting nil removes the key from that layer and shows the next lower value",
            [.writeFile(.etc, ["http.port": 1]), .set("http.port", 5), .set("http.port", nil)],
            .typed("http.port", 1, from: "system etc/main"), .outcomes([.effective])),
        ModelRow(
            "a broken file is not overwritten", [.breakFile(.user, version: 1), .set("http.port", 5)],
            .outcomes([.rejectedBroken]), .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a typed write that fails validation is not made", [.set("http.port", 0, typed: true)],
            .outcomes([.rejected(["http.port"])]), .commits(false)),
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
            "if one write of a transaction fails, none is made",
            [.transaction(oneRejected, writesOthers: false)],
            .outcomes([.abandoned, .rejectedNotWritable]), .commits(false)),
        ModelRow(
            "if one write of a transaction fails, the others are made on request",
            [.transaction(oneRejected, writesOthers: true)],
            .outcomes([.effective, .rejectedNotWritable]), .typed("verbose", true, from: "user home/main")),
    ]

    private static let oneRejected = [
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
            "a locked key takes its value from a layer below the locking one",
            [.start(["http.port": 3]), .set("http.port", 2), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 3, from: "defaults held")),
        ModelRow(
            "a locked key without a value has its own default",
            [.set("http.port", 2), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a lock excludes every higher layer, arguments and overrides included",
            [
                .start(arguments: ["http.port": "4"]), .set("http.port", 2, in: "overrides"),
                .writeLocks(.usr, lines: ["http.port"]), .writeFile(.run, ["http.port": 1]),
            ], .typed("http.port", 1, from: "system run/main")),
        ModelRow(
            "a lock covers everything below its path",
            [.set("http.port", 2), .writeLocks(.etc, lines: ["http"])],
            .typed("http.port", 8080, from: nil), .lock("http.host", "system")),
        ModelRow(
            "a lock covers whole path components", [.set("http.port", 2), .writeLocks(.etc, lines: ["htt"])],
            .typed("http.port", 2, from: "user home/main")),
        ModelRow(
            "a locked key is not read under a former name",
            [.writeFile(.user, ["port": 2]), .writeLocks(.etc, lines: ["http.port"])],
            .typed("http.port", 8080, from: nil), .raw("port", nil)),
        ModelRow(
            "a lock on a former name locks the present one",
            [.writeFile(.user, ["http.port": 2]), .writeLocks(.etc, lines: ["port"])],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a lock covers both spellings",
            [
                .writeFile(.user, ["http.port": 2, "http": ["port": 3]]),
                .writeLocks(.etc, lines: ["http.port"]),
            ],
            .raw("http.port", nil)),
        ModelRow(
            "a write above a locking layer throws",
            [.writeLocks(.etc, lines: ["http"]), .set("http.port", 2)],
            .outcomes([.rejectedByLock(layer: "system")]), .commits(false)),
        ModelRow(
            "an administrator may still write to the locking layer itself",
            [.writeLocks(.etc, lines: ["http"]), .set("http.port", 2, in: "system")],
            .outcomes([.effective]), .typed("http.port", 2, from: "system etc/main")),
        ModelRow(
            "of two locks on a key the one on the lower layer applies",
            [
                .start(["http.port": 3]), .set("http.port", 2, in: "system"),
                .raiseLock("http.port", layer: "defaults"), .raiseLock("http.port", layer: "user"),
            ], .typed("http.port", 3, from: "defaults held"), .lock("http.port", "defaults")),
        ModelRow(
            "if a locks file cannot be read, every key that its layer sets is locked",
            [
                .writeFile(.run, ["http": ["port": 1]]), .set("http.port", 2), .set("http.host", "u"),
                .breakLocks(.etc, version: 1),
            ],
            .typed("http.port", 1, from: "system run/main"), .typed("http.host", "u", from: "user home/main")),
        ModelRow(
            "if a locks file cannot be read, the locks last read still apply",
            [.set("http.host", "u"), .writeLocks(.etc, lines: ["http.host"]), .breakLocks(.etc, version: 1)],
            .typed("http.host", "localhost", from: nil)),
        ModelRow(
            "a deleted locks file locks nothing",
            [.set("http.host", "u"), .writeLocks(.etc, lines: ["http.host"]), .deleteLocks(.etc)],
            .typed("http.host", "u", from: "user home/main")),
        ModelRow(
            "a locks file does not count in a directory that a variable names",
            [
                .set("http.host", "u"), .writeLocks(.extra, lines: ["http.host"]),
                .breakLocks(.user, version: 1),
            ],
            .typed("http.host", "u", from: "user home/main"), .lock("http.host", nil)),
        ModelRow(
            "a lock applies to directories of its own layer that a variable names",
            [
                .writeFile(.etc, ["http": ["port": 1]]),
                .writeFile(.extra, ["http": ["port": 2, "host": "e"]]),
                .writeLocks(.usr, lines: ["http.port"]),
            ],
            .typed("http.port", 1, from: "system etc/main"),
            .typed("http.host", "e", from: "system extra/main")),
        ModelRow(
            "a lock made in code applies to directories of its layer that a variable names",
            [
                .writeFile(.etc, ["http": ["port": 1]]), .writeFile(.extra, ["http": ["port": 2]]),
                .raiseLock("http.port", layer: "system"),
            ],
            .typed("http.port", 1, from: "system etc/main")),
        ModelRow(
            "a lock made in code ends when it is removed",
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
            "a raw dictionary above the locking layer cannot change a locked part",
            lockedPort + [.writeFile(.user, ["http": ["port": 9, "host": "u"]])],
            .raw("http", ["port": 1, "host": "u"])),
        ModelRow(
            "a typed dictionary that replaces as a whole cannot change a locked part",
            lockedPort + [.writeFile(.user, ["http": ["port": 9, "host": "u"]])],
            .typed("http", ["port": 1, "host": "u"], from: "user home/main")),
        ModelRow(
            "a typed dictionary cannot omit a locked part",
            lockedPort + [.writeFile(.user, ["http": ["host": "u"]])],
            .typed("http", ["port": 1, "host": "u"], from: "user home/main")),
        ModelRow(
            "a deep merge cannot change a locked part",
            [
                .writeFile(.etc, ["limits": ["soft": 1]]), .writeLocks(.etc, lines: ["limits.soft"]),
                .writeFile(.user, ["limits": ["soft": 5, "hard": 9]]),
            ], .typed("limits", ["soft": 1, "hard": 9, "open": 16], from: "user home/main")),
        ModelRow(
            "a non-dictionary that would hide a locked value is not read",
            lockedPort + [.writeFile(.user, ["http": "off"]), .start()],
            .raw("http", ["port": 1, "host": "s"])),
        ModelRow(
            "a non-dictionary that hides no locked value is read",
            [.writeLocks(.etc, lines: ["http.port"]), .writeFile(.user, ["http": "off"]), .start()],
            .raw("http", "off")),
        ModelRow(
            "a write to an ancestor that sets the locked key throws",
            lockedPort + [.set("http", ["port": 9])], .outcomes([.rejectedByLock(layer: "system")])),
        ModelRow(
            "a write to an ancestor that does not set the locked key succeeds",
            lockedPort + [.set("http", ["host": "u"])], .outcomes([.effective]),
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
            "an observer of http is notified of changes below it",
            [.writeFile(.user, ["http": ["tls": ["chain": "c"]]])],
            .events([
                "raw http: nil -> [\"tls\": [\"chain\": \"c\"]]", "raw http.tls: nil -> [\"chain\": \"c\"]",
                "typed http: [\"port\": 80] -> [\"tls\": [\"chain\": \"c\"]]",
            ])),
        ModelRow(
            "a shadowed change is a generation without value events",
            [.writeFile(.user, ["verbose": true]), .writeFile(.etc, ["verbose": true])],
            .commits(true), .events([]), .shadowed("verbose", ["system etc/main"])),
        ModelRow(
            "the same value from another layer is no value event",
            [.writeFile(.etc, ["verbose": true]), .writeFile(.user, ["verbose": true])], .commits(true),
            .events([]), .typed("verbose", true, from: "user home/main")),
        ModelRow(
            "a removal changes the value to the next lower one",
            [.writeFile(.etc, ["verbose": true]), .writeFile(.user, ["verbose": false]), .deleteFile(.user)],
            .events(["typed verbose: false -> true"])),
        ModelRow(
            "a rejected edit is no event for a typed observer if the effective value stays the same",
            [.writeFile(.user, ["ratio": "x"])], .commits(false)),
        ModelRow(
            "creating an empty file is no change", [.writeFile(.user, [:])], .commits(false)),
        ModelRow(
            "a burst is one event from the first old value to the last new one",
            [.burst([.writeFile(.user, ["verbose": true]), .writeFile(.etc, ["ratio": 0.25])])],
            .events(["typed ratio: 0.5 -> 0.25", "typed verbose: false -> true"])),
    ]
}
