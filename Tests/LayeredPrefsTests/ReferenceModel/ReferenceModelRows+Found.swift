extension ModelRow {
    /// Corners in which the engine once parted from the model in a random history.
    static let found = [
        ModelRow(
            "a change within a dictionary that is spelled literally is told",
            [.writeFile(.user, ["http.tls": ["cert": "a"]]), .set("http.tls", [:])],
            .events([
                "raw http: [\"tls\": [\"cert\": \"a\"]] -> [\"tls\": [:]]",
                "raw http.tls: [\"cert\": \"a\"] -> [:]",
                "typed http: [\"tls\": [\"cert\": \"a\"]] -> [\"tls\": [:]]",
            ])),
        ModelRow(
            "what bars a key is told, although a literal key hides it",
            [
                .writeFile(.user, ["http": [:], "http.tls": [:]]),
                .writeFile(.user, ["http": ["tls": "off"], "http.tls": [:]]),
            ], .commits(true), .events([]), .diagnostics(2)),
        ModelRow(
            "and that it no longer does",
            [.writeFile(.user, ["http": ["tls": "off"], "http.tls": 1]), .set("http", nil)],
            .commits(true), .events([]), .diagnostics(2)),
        ModelRow(
            "a key is barred by one string as by another: only the string's own key is told of",
            [.set("http", "text", in: "overrides"), .set("http", "off", in: "overrides")], .diagnostics(1)),
        ModelRow(
            "a value of which a lock hides one fault is told of for the other",
            [
                .writeFile(.user, ["limits": ["open": 2000, "soft": "x"]]),
                .writeLocks(.etc, lines: ["limits.soft"]),
            ], .diagnostics(1)),
        ModelRow(
            "of the locks that a dictionary breaks the lowest is named",
            [
                .raiseLock("http.port", layer: "arguments"), .raiseLock("http.host", layer: "user"),
                .set("http", ["port": 81, "host": "h"], in: "overrides"),
            ], .outcomes([.refusedByLock(layer: "user")])),
        ModelRow(
            "what would hide a locked value in a deep merge is not judged",
            [
                .writeFile(.etc, ["limits": ["open": ["x": 1]]]),
                .writeLocks(.etc, lines: ["limits.open.x"]), .writeFile(.user, ["limits": ["open": 5000]]),
            ], .typed("limits", ["open": 16], from: "user home/main"),
            .rejected("limits", ["system etc/main"])),
        ModelRow(
            "a lock over a literal key that hides others is told of each",
            [
                .writeFile(.user, ["http": ["tls": ["cert": "c", "key": "k"]], "http.tls": true]),
                .writeLocks(.usr, lines: ["http"]),
            ], .typed("http.tls.cert", "", from: nil), .raw("http", nil)),
        ModelRow(
            "nor is it refused by a rule over several keys",
            [
                .writeFile(.etc, ["http": ["tls": ["key": ["x": 1]]]]),
                .writeLocks(.etc, lines: ["http.tls.key.x"]),
                .writeFile(.user, ["http": ["tls": ["cert": "c", "key": "k"]]]),
            ], .rejected("http.tls.cert", ["user home/main"]), .rejected("http.tls.key", ["system etc/main"])),
        ModelRow(
            "a dictionary that a literal one hid is told, though all of its keys could be read before",
            [
                .writeFile(.user, ["unknown": ["deep": ["key": 1]], "unknown.deep": ["key": 2]]),
                .writeFile(.user, ["unknown": ["deep": ["key": 1]]]),
            ], .raw("unknown.deep", ["key": 1])),
        ModelRow(
            "a lock beneath the present name holds beneath a former one",
            [
                .writeFile(.etc, ["mail": ["host": "a"]]), .writeLocks(.etc, lines: ["mail.host"]),
                .writeFile(.user, ["smtp": ["host": "b"]]),
            ], .typed("mail", ["host": "a"], from: "user home/main")),
    ]

    static let all =
        order + places + keys + keysCorners + keysWritten + wrongValues + text + groups + badFiles + writes
        + locks + locksOverAncestors + changes + audit + found
}
