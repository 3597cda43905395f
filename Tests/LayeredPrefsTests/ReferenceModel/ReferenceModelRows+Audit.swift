@testable import PrefsReferenceModel

extension ModelRow {
    /// Change sets name the keys that changed in some layer while their effective value stayed the same.
    static let audit = [
        ModelRow(
            "a change set names shadowed changes, but not effective ones",
            [.writeFile(.user, ["ratio": 0.25]), .writeFile(.etc, ["ratio": 0.75, "verbose": true])],
            .audited(["ratio"])),
        ModelRow(
            "removing a dictionary names only the keys that it contained",
            [
                .writeFile(.usr, ["http": ["host": "a"]]), .writeFile(.user, ["http": ["port": 1]]),
                .writeFile(.etc, ["http": ["port": 2]]), .deleteFile(.etc),
            ], .audited(["http.port"])),
        ModelRow(
            "a non-dictionary is no value of the keys that it blocks",
            [.writeFile(.usr, ["unknown.deep": ["key": 1]]), .writeFile(.etc, ["unknown.deep": "off"])],
            .raw("unknown.deep.key", 1), .audited([])),
        ModelRow(
            "a new lock names the keys that it covers",
            [.writeFile(.usr, ["http": ["host": "a", "port": 1]]), .writeLocks(.etc, lines: ["http.host"])],
            .audited(["http.host"])),
        ModelRow(
            "a new lock that covers no values names itself and the other names of its keys",
            [.writeLocks(.etc, lines: ["http"])], .audited(["http", "port"])),
        ModelRow(
            "a lock below a former name also applies below the present one",
            [.writeLocks(.etc, lines: ["port.deep"])],
            .audited(["http.listen.deep", "http.port.deep", "port.deep"])),
        ModelRow(
            "a lock within another lock changes nothing",
            [.writeLocks(.etc, lines: ["pool"]), .writeLocks(.usr, lines: ["pool.min"])], .audited([])),
        ModelRow(
            "an empty file causes no constraint to be reported again",
            [
                .writeFile(.user, ["pool": ["min": 5, "max": 3]]),
                .writeFile(.user.dropIn("10-a.plist"), [:]),
            ], .commits(false), .audited([])),
    ]
}
