extension ModelRow {
    /// Which keys a change names that has no effect on them.
    static let audit = [
        ModelRow(
            "a shadowed change is named, and an effective one is not",
            [.writeFile(.user, ["ratio": 0.25]), .writeFile(.etc, ["ratio": 0.75, "verbose": true])],
            .audited(["ratio"])),
        ModelRow(
            "of a dictionary that goes only the keys that it held",
            [
                .writeFile(.usr, ["http": ["host": "a"]]), .writeFile(.user, ["http": ["port": 1]]),
                .writeFile(.etc, ["http": ["port": 2]]), .deleteFile(.etc),
            ], .audited(["http.port"])),
        ModelRow(
            "what bars a lower key that shows through all the same names it",
            [.writeFile(.usr, ["http": ["host": "a"]]), .writeFile(.etc, ["http": "off"])],
            .raw("http.host", "a"), .audited(["http.host"])),
        ModelRow(
            "a lock names the keys that it comes to hold",
            [.writeFile(.usr, ["http": ["host": "a", "port": 1]]), .writeLocks(.etc, lines: ["http.host"])],
            .audited(["http.host"])),
        ModelRow(
            "or itself, and the other names of what it holds, where there are none",
            [.writeLocks(.etc, lines: ["http"])], .audited(["http", "port"])),
        ModelRow(
            "a lock beneath a former name holds beneath the present one",
            [.writeLocks(.etc, lines: ["port.deep"])],
            .audited(["http.listen.deep", "http.port.deep", "port.deep"])),
        ModelRow(
            "a lock within a lock holds nothing more",
            [.writeLocks(.etc, lines: ["pool"]), .writeLocks(.usr, lines: ["pool.min"])], .audited([])),
        ModelRow(
            "an empty file makes no rule over several keys speak again",
            [
                .writeFile(.user, ["pool": ["min": 5, "max": 3]]),
                .writeFile(.user.dropIn("10-a.plist"), [:]),
            ], .commits(false), .audited([])),
        ModelRow(
            "a rule names all its keys that it refuses together",
            [.writeFile(.etc, ["pool": ["min": 2, "max": 4]]), .writeFile(.user, ["pool": ["min": 9]])],
            .typed("pool.min", 2, from: "system etc/main"), .audited(["pool.max"])),
    ]
}
