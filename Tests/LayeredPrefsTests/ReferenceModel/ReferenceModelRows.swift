@testable import PrefsReferenceModel

extension ModelRow {
    static let order = [
        ModelRow("a key's own default is the lowest value", [.start()], .typed("http.port", 8080, from: nil)),
        ModelRow(
            "the defaults layer lies above a key's own default", [.start(["http.port": 1])],
            .typed("http.port", 1, from: "defaults held")),
        ModelRow(
            "the system layer lies above the defaults layer",
            [.start(["http.port": 1]), .writeFile(.etc, ["http.port": 2])],
            .typed("http.port", 2, from: "system etc/main"), .shadowed("http.port", ["defaults held"])),
        ModelRow(
            "the user layer lies above the system layer",
            [.writeFile(.etc, ["http.port": 2]), .writeFile(.user, ["http.port": 3])],
            .typed("http.port", 3, from: "user home/main"), .shadowed("http.port", ["system etc/main"])),
        ModelRow(
            "the environment lies above the user layer",
            [.start(environment: ["http.port": "4"]), .writeFile(.user, ["http.port": 3])],
            .typed("http.port", 4, from: "environment held")),
        ModelRow(
            "arguments lie above the environment",
            [.start(environment: ["http.port": "4"], arguments: ["http.port": "5"])],
            .typed("http.port", 5, from: "arguments held")),
        ModelRow(
            "overrides lie above all other layers",
            [.start(arguments: ["http.port": "5"]), .set("http.port", 6, in: "overrides")],
            .typed("http.port", 6, from: "overrides held"), .shadowed("http.port", ["arguments held"])),
        ModelRow(
            "a restart discards overrides",
            [.set("http.port", 6, in: "overrides"), .start()], .typed("http.port", 8080, from: nil)),
    ]

    static let places = [
        ModelRow(
            "system directories rank, low to high: vendor, administrator, /run, those that a variable names",
            [
                .writeFile(.extra, ["http.port": 9]), .writeFile(.run, ["http.port": 1]),
                .writeFile(.etc, ["http.port": 2]), .writeFile(.usr, ["http.port": 3]),
            ],
            .typed("http.port", 9, from: "system extra/main"),
            .shadowed("http.port", ["system run/main", "system etc/main", "system usr/main"])),
        ModelRow(
            "a mask in a directory that a variable names hides nothing elsewhere",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 1]),
                .maskDropIn(.extra.dropIn("10-a.plist")),
            ],
            .typed("http.port", 1, from: "system usr/10-a.plist")),
        ModelRow(
            "drop-ins lie above the main file of their directory",
            [.writeFile(.etc.dropIn("10-a.plist"), ["http.port": 1]), .writeFile(.etc, ["http.port": 2])],
            .typed("http.port", 1, from: "system etc/10-a.plist")),
        ModelRow(
            "a drop-in lies below the next directory's main file",
            [.writeFile(.etc.dropIn("10-a.plist"), ["http.port": 1]), .writeFile(.run, ["http.port": 2])],
            .typed("http.port", 2, from: "system run/main")),
        ModelRow(
            "drop-ins rank in byte order of names, not in numeric order",
            [
                .writeFile(.etc.dropIn("9-c.plist"), ["http.port": 9]),
                .writeFile(.etc.dropIn("10-a.plist"), ["http.port": 10]),
            ], .typed("http.port", 9, from: "system etc/9-c.plist")),
        ModelRow(
            "a link to /dev/null masks the same name in lower directories",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 1]),
                .maskDropIn(.etc.dropIn("10-a.plist")),
            ], .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a mask does not hide higher directories",
            [
                .writeFile(.run.dropIn("10-a.plist"), ["http.port": 1]),
                .maskDropIn(.etc.dropIn("10-a.plist")),
            ],
            .typed("http.port", 1, from: "system run/10-a.plist")),
        ModelRow(
            "a mask in the user's directory does not hide the system's",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 1]),
                .maskDropIn(.user.dropIn("10-a.plist")),
            ],
            .typed("http.port", 1, from: "system usr/10-a.plist")),
        ModelRow(
            "removing a mask shows the drop-in that it hid",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 1]),
                .maskDropIn(.etc.dropIn("10-a.plist")), .deleteFile(.etc.dropIn("10-a.plist")),
            ],
            .typed("http.port", 1, from: "system usr/10-a.plist"),
            .events([
                "raw http: nil -> [\"port\": 1]", "raw http.port: nil -> 1",
                "typed http: [\"port\": 80] -> [\"port\": 1]", "typed http.port: 8080 -> 1",
            ])),
        ModelRow(
            "drop-ins of the same name in two directories are both read",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 1]),
                .writeFile(.etc.dropIn("10-a.plist"), ["http.host": "h"]),
            ],
            .typed("http.port", 1, from: "system usr/10-a.plist"),
            .typed("http.host", "h", from: "system etc/10-a.plist")),
        ModelRow(
            "names that begin with a dot are ignored",
            [.writeFile(.etc.dropIn(".30-d.plist"), ["http.port": 1])],
            .typed("http.port", 8080, from: nil), .commits(false)),
        ModelRow(
            "only *.plist is a drop-in", [.writeFile(.etc.dropIn("40-e.conf"), ["http.port": 1])],
            .typed("http.port", 8080, from: nil)),
        ModelRow("a missing file is an empty layer", [.deleteFile(.user)], .commits(false), .diagnostics(0)),
    ]

    static let keys = [
        ModelRow(
            "a key is read in its nested spelling", [.writeFile(.user, ["http": ["port": 1]])],
            .typed("http.port", 1, from: "user home/main")),
        ModelRow(
            "a key is read in its literal spelling", [.writeFile(.user, ["http.port": 1])],
            .raw("http.port", 1)),
        ModelRow(
            "the literal spelling wins over the nested one within one source",
            [.writeFile(.user, ["http.port": 1, "http": ["port": 2]])],
            .typed("http.port", 1, from: "user home/main"), .raw("http", ["port": 1])),
        ModelRow(
            "a nested spelling in a higher layer wins over a literal one in a lower layer",
            [.writeFile(.etc, ["http.port": 1]), .writeFile(.user, ["http": ["port": 2]])],
            .typed("http.port", 2, from: "user home/main")),
        ModelRow(
            "the dictionary of a literal key holds keys",
            [.writeFile(.user, ["http.tls": ["cert": "c"]]), .start()],
            .raw("http.tls.cert", "c"), .raw("http.tls", ["cert": "c"])),
        ModelRow(
            "the dictionary of a literal key replaces a nested one",
            [.writeFile(.user, ["http.tls": ["cert": "c"], "http": ["tls": ["key": "k"]]]), .start()],
            .raw("http.tls.key", nil), .raw("http", ["tls": ["cert": "c"]])),
        ModelRow(
            "a user file that sets only http.port leaves the system's http.host effective",
            [
                .writeFile(.etc, ["http": ["host": "h", "port": 1]]),
                .writeFile(.user, ["http": ["port": 2]]),
            ],
            .raw("http", ["host": "h", "port": 2]), .typed("http.host", "h", from: "system etc/main")),
        ModelRow(
            "layers merge by key path, whatever the spelling",
            [.writeFile(.etc, ["http": ["host": "h"]]), .writeFile(.user, ["http.port": 2])],
            .raw("http", ["host": "h", "port": 2])),
        ModelRow(
            "a key declared with a dictionary type replaces as a whole",
            [.writeFile(.etc, ["http": ["host": "h"]]), .writeFile(.user, ["http": ["port": 2]])],
            .typed("http", ["port": 2], from: "user home/main"), .shadowed("http", ["system etc/main"])),
        ModelRow(
            "a key that declares a deep merge merges with lower layers",
            [
                .writeFile(.etc, ["limits": ["hard": 9, "soft": 1]]),
                .writeFile(.user, ["limits": ["soft": 2]]),
            ],
            .typed("limits", ["hard": 9, "soft": 2, "open": 16], from: "user home/main")),
        ModelRow(
            "arrays replace as a whole and never merge by index",
            [.writeFile(.etc, ["names": ["a", "b"]]), .writeFile(.user, ["names": ["c"]])],
            .typed("names", ["c"], from: "user home/main"), .raw("names", ["c"])),
        ModelRow(
            "a non-dictionary on the path is a rejected candidate for the keys below it",
            [.writeFile(.etc, ["http": ["port": 1]]), .writeFile(.user, ["http": "off"]), .start()],
            .typed("http.port", 1, from: "system etc/main"), .rejected("http.port", ["user home/main"]),
            .raw("http.port", 1), .raw("http", "off")),
        ModelRow(
            "a literal key below a non-dictionary is rejected",
            [
                .writeFile(.etc, ["http": ["port": 1]]), .writeFile(.user, ["http": "off", "http.port": 2]),
                .start(),
            ],
            .typed("http.port", 1, from: "system etc/main"), .rejected("http.port", ["user home/main"]),
            .raw("http", "off")),
        ModelRow(
            "literal keys below each other are rejected below the first one that is no dictionary",
            [.writeFile(.user, ["http": [:], "http.tls": "x", "http.tls.cert": "c"]), .start()],
            .raw("http", ["tls": "x"]), .raw("http.tls.cert", nil)),
        ModelRow(
            "http does not cover http2", [.writeFile(.user, ["http2": ["port": 1]])], .raw("http", nil),
            .events(["raw http2: nil -> [\"port\": 1]"])),
        ModelRow(
            "a former name is read where the present one is absent", [.writeFile(.user, ["port": 7])],
            .typed("http.port", 7, from: "user home/main"), .raw("http.port", nil)),
        ModelRow(
            "a present name hides a former one within its layer",
            [.writeFile(.user, ["port": 7, "http.port": 8])],
            .typed("http.port", 8, from: "user home/main"), .shadowed("http.port", [])),
        ModelRow(
            "a former name in a higher layer wins over the present name in a lower layer",
            [.writeFile(.etc, ["http.port": 8]), .writeFile(.user, ["port": 7])],
            .typed("http.port", 7, from: "user home/main")),
        ModelRow(
            "values compare by content, reals by bit pattern",
            [.writeFile(.user, ["ratio": 0.0]), .writeFile(.user, ["ratio": -0.0])],
            .events(["typed ratio: 0.0 -> -0.0"])),
    ]

    static let keysCorners = [
        ModelRow(
            "a former name is read per file, not per layer",
            [.writeFile(.user, ["http.port": 8]), .writeFile(.user.dropIn("10-a.plist"), ["port": 7])],
            .typed("http.port", 7, from: "user home/10-a.plist"),
            .shadowed("http.port", ["user home/main"])),
        ModelRow(
            "a nested non-dictionary stays effective above a literal key",
            [.writeFile(.user, ["http": ["tls": "off"], "http.tls.cert": "c"]), .start()],
            .raw("http", ["tls": "off"]), .raw("http.tls.cert", nil)),
        ModelRow(
            "a longer literal key is merged into the dictionary of a shorter one",
            [.writeFile(.user, ["http.tls": ["key": "k"], "http.tls.cert": "c"])],
            .raw("http", ["tls": ["key": "k", "cert": "c"]])),
    ]

    static let keysWritten = [
        ModelRow(
            "writing uses the spelling the file has",
            [.writeFile(.user, ["http.port": 1, "x": 1]), .set("http.port", 2)],
            .file(.user, ["http.port": 2, "x": 1])),
        ModelRow(
            "writing uses the nested spelling if the file has none",
            [.writeFile(.user, ["x": 1]), .set("http.port", 2)],
            .file(.user, ["http": ["port": 2], "x": 1])),
        ModelRow(
            "removing removes both spellings",
            [
                .writeFile(.user, ["http.port": 1, "http": ["port": 2, "host": "h"]]), .set("http.port", nil),
            ],
            .file(.user, ["http": ["host": "h"]]), .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a removal leaves no empty dictionary that would replace lower values",
            [.writeFile(.etc, ["http": ["port": 1]]), .set("http.port", 2), .set("http.port", nil)],
            .file(.user, [:]), .typed("http", ["port": 1], from: "system etc/main")),
        ModelRow(
            "a write below a non-dictionary throws",
            [.writeFile(.user, ["http": "off"]), .start(), .set("http.port", 2)],
            .outcomes([.rejected(["http.port"])]), .file(.user, ["http": "off"])),
        ModelRow(
            "a write below a literal non-dictionary throws, although a literal key spells its path",
            [
                .writeFile(.user, ["http.tls": "off", "http.tls.cert": "c"]), .start(),
                .set("http.tls.cert", "d"),
            ],
            .outcomes([.rejected(["http.tls.cert"])])),
        ModelRow(
            "of a transaction, only the writes below a non-dictionary throw if the others are asked for",
            [
                .writeFile(.user, ["log": "off"]), .start(),
                .transaction(
                    [
                        ModelWrite(path: "log.level", value: "debug"),
                        ModelWrite(path: "verbose", value: true),
                    ], writesOthers: true),
            ],
            .outcomes([.rejected(["log.level"]), .effective]),
            .file(.user, ["log": "off", "verbose": true])),
        ModelRow(
            "a write below a non-dictionary that its transaction removes is made",
            [
                .writeFile(.user, ["log": "off"]), .start(),
                .transaction(
                    [
                        ModelWrite(path: "log", value: nil), ModelWrite(path: "log.level", value: "debug"),
                    ], writesOthers: false),
            ],
            .outcomes([.effective, .effective]), .file(.user, ["log": ["level": "debug"]])),
        ModelRow(
            "a typed removal also removes former names",
            [.writeFile(.user, ["port": 7]), .set("http.port", nil, typed: true)],
            .typed("http.port", 8080, from: nil)),
    ]

    static let wrongValues = [
        ModelRow(
            "a value of the wrong type counts as absent: the next lower acceptable one is effective",
            [.writeFile(.etc, ["http.port": 1]), .writeFile(.user, ["http.port": "many"]), .start()],
            .typed("http.port", 1, from: "system etc/main"), .rejected("http.port", ["user home/main"]),
            .raw("http.port", "many"), .diagnostics(1)),
        ModelRow(
            "a value that fails validation counts as absent",
            [.writeFile(.etc, ["http.port": 1]), .writeFile(.user, ["http.port": 70_000])],
            .typed("http.port", 1, from: "system etc/main"), .diagnostics(1)),
        ModelRow(
            "the recovery of a value is reported once",
            [.writeFile(.user, ["http.port": 70_000]), .writeFile(.user, ["http.port": 70])],
            .diagnostics(1), .typed("http.port", 70, from: "user home/main")),
        ModelRow(
            "a bad version of a value is reported once",
            [.writeFile(.user, ["http.port": 0]), .writeFile(.user, ["http.port": -1])],
            .diagnostics(1), .commits(false), .raw("http.port", nil)),
        ModelRow(
            "the same bad version of a value is not reported again",
            [.writeFile(.user, ["http.port": 0]), .touchFile(.user)],
            .diagnostics(0)),
        ModelRow(
            "\"8080\" for an Int is rejected in a file", [.writeFile(.user, ["http.port": "80"])],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "3 for a Double is accepted", [.writeFile(.user, ["ratio": 1])],
            .typed("ratio", 1.0, from: "user home/main")),
        ModelRow(
            "3.0 for an Int is rejected", [.writeFile(.user, ["http.port": 3.0]), .start()],
            .typed("http.port", 8080, from: nil), .rejected("http.port", ["user home/main"])),
        ModelRow(
            "1 for a Bool is rejected, except in text", [.writeFile(.user, ["verbose": 1]), .start()],
            .typed("verbose", false, from: nil), .rejected("verbose", ["user home/main"])),
        ModelRow(
            "a bad element rejects the whole array",
            [.writeFile(.etc, ["names": ["a"]]), .writeFile(.user, ["names": ["b", 1]])],
            .typed("names", ["a"], from: "system etc/main")),
        ModelRow(
            "a bad dictionary in a deep merge is rejected alone",
            [.writeFile(.etc, ["limits": ["hard": 9]]), .writeFile(.user, ["limits": ["soft": "x"]])],
            .typed("limits", ["hard": 9, "open": 16], from: "system etc/main")),
    ]

    static let text = [
        ModelRow(
            "the values of text layers are parsed by the key's type",
            [.start(environment: ["verbose": "on", "names": "a,b", "limits": #"{"soft":1}"#])],
            .typed("verbose", true, from: "environment held"),
            .typed("names", ["a", "b"], from: "environment held"),
            .typed("limits", ["soft": 1, "open": 16], from: "environment held")),
        ModelRow(
            "text that does not parse is a rejected candidate",
            [.start(environment: ["http.port": "many"]), .writeFile(.user, ["http.port": 3])],
            .typed("http.port", 3, from: "user home/main"), .rejected("http.port", ["environment held"])),
        ModelRow(
            "a raw read of a text layer returns the text", [.start(environment: ["http.port": "9"])],
            .raw("http.port", "9"), .raw("http", ["port": "9"])),
        ModelRow(
            "a variable to which two keys map sets the first of them",
            [.start(environment: ["cache.size": "1", "cacheSize": "1"])],
            .typed("cache.size", 1, from: "environment held"), .typed("cacheSize", 32, from: nil)),
        ModelRow(
            "an undeclared key reads the variable to which it maps",
            [.start(environment: ["log.level": "debug"])],
            .raw("logLevel", "debug"), .typed("log.level", "debug", from: "environment held")),
        ModelRow(
            "a variable that is meant for the second of two keys sets the first",
            [.start(environment: ["cacheSize": "1"], arguments: ["cacheSize": "2"])],
            .typed("cache.size", 1, from: "environment held"),
            .typed("cacheSize", 2, from: "arguments held")),
    ]

    static let groups = [
        ModelRow(
            "at the start, a constraint over several keys is reported, and takes no value away",
            [
                .writeFile(.etc, ["pool": ["min": 2, "max": 3]]),
                .writeFile(.user, ["pool": ["min": 9, "max": 5]]), .start(),
            ],
            .typed("pool.min", 9, from: "user home/main"), .typed("pool.max", 5, from: "user home/main"),
            .rejected("pool.min", []), .rejected("pool.max", []), .diagnostics(1)),
        ModelRow(
            "after the start, an edit of one of the keys has to satisfy the constraint",
            [
                .writeFile(.user, ["pool": ["min": 9, "max": 5]]), .start(),
                .writeFile(.user, ["pool": ["min": 8, "max": 5], "verbose": true]),
            ],
            .typed("pool.min", 9, from: "user home/main"), .typed("verbose", true, from: "user home/main"),
            .diagnostics(1)),
        ModelRow(
            "values that satisfy a constraint again are reported once",
            [
                .writeFile(.user, ["pool": ["min": 9, "max": 5]]), .start(),
                .writeFile(.user, ["pool": ["min": 3, "max": 5]]),
            ], .typed("pool.min", 3, from: "user home/main"), .diagnostics(1)),
        ModelRow(
            "a lock may have values violate a constraint, which is reported",
            [
                .writeFile(.etc, ["pool": ["min": 5]]), .writeFile(.user, ["pool": ["min": 1, "max": 3]]),
                .raiseLock("pool.min", layer: "system"),
            ],
            .typed("pool.min", 5, from: "system etc/main"), .typed("pool.max", 3, from: "user home/main"),
            .diagnostics(1)),
        ModelRow(
            "a constraint does not reject a lower value that fits the remaining ones",
            [.writeFile(.etc, ["pool": ["min": 2, "max": 3]]), .writeFile(.user, ["pool.min": 9])],
            .typed("pool.min", 2, from: "system etc/main"), .typed("pool.max", 3, from: "system etc/main"),
            .rejected("pool.max", [])),
        ModelRow(
            "a certificate without its key is rejected", [.writeFile(.user, ["http.tls.cert": "c"])],
            .typed("http.tls.cert", "", from: nil)),
        ModelRow(
            "values of two layers may satisfy a constraint together",
            [.writeFile(.etc, ["http.tls.cert": "c"]), .writeFile(.user, ["http.tls.key": "k"])],
            .typed("http.tls.cert", "c", from: "system etc/main"),
            .typed("http.tls.key", "k", from: "user home/main")),
    ]

    static let badFiles = [
        ModelRow(
            "a broken file keeps its last good contents",
            [.writeFile(.user, ["http.port": 1]), .breakFile(.user, version: 1)],
            .typed("http.port", 1, from: "user home/main"), .diagnostics(1), .commits(false)),
        ModelRow(
            "a bad version of a file is reported once",
            [.breakFile(.user, version: 1), .breakFile(.user, version: 1)], .diagnostics(0)),
        ModelRow(
            "another bad version of a file is reported again",
            [.breakFile(.user, version: 1), .breakFile(.user, version: 2)],
            .diagnostics(1)),
        ModelRow(
            "the recovery of a file is reported once",
            [.breakFile(.user, version: 1), .writeFile(.user, [:])], .diagnostics(1)),
        ModelRow(
            "a deleted file loses its last good contents",
            [.writeFile(.user, ["http.port": 1]), .deleteFile(.user), .breakFile(.user, version: 1)],
            .typed("http.port", 8080, from: nil)),
        ModelRow(
            "at start a broken file is an empty layer with a diagnostic",
            [.writeFile(.user, ["http.port": 1]), .breakFile(.user, version: 1), .start()],
            .typed("http.port", 8080, from: nil), .diagnostics(1)),
    ]
}
