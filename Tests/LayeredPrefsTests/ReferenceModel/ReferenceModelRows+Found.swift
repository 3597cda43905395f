@testable import PrefsReferenceModel

extension ModelRow {
    /// Cases that once made the engine diverge from the model in a random trace.
    static let found = [
        ModelRow(
            "a change inside a dictionary with a literal key notifies its ancestors' observers",
            [.writeFile(.user, ["http.tls": ["chain": "a"]]), .set("http.tls", [:])],
            .events([
                "raw http: [\"tls\": [\"chain\": \"a\"]] -> [\"tls\": [:]]",
                "raw http.tls: [\"chain\": \"a\"] -> [:]",
                "typed http: [\"tls\": [\"chain\": \"a\"]] -> [\"tls\": [:]]",
            ])),
        ModelRow(
            "a dictionary that gets its first key is reported though the value of all layers is the same",
            [
                .writeFile(.etc, ["unknown": [:]]), .writeFile(.extra, ["unknown.deep": "debug"]),
                .writeFile(.etc, ["unknown": ["deep": ["x": 1]]]),
            ], .commits(true)),
        ModelRow(
            "a key that a lower layer sets behind a non-dictionary is no change",
            [
                .writeFile(.user, ["unknown.deep": ["key": 1]]), .writeFile(.etc, ["unknown": 1]),
                .writeFile(.etc, ["unknown": 1, "unknown.deep.key": 2]),
            ], .commits(false), .raw("unknown.deep", ["key": 1]), .raw("unknown.deep.key", 1)),
        ModelRow(
            "what a literal key replaces blocks no key",
            [
                .writeFile(.user, ["http": [:], "http.tls": [:]]),
                .writeFile(.user, ["http": ["tls": "off"], "http.tls": [:]]),
            ], .commits(false)),
        ModelRow(
            "removing what a literal key replaces is no change",
            [.writeFile(.user, ["http": ["tls": "off"], "http.tls": 1]), .set("http", nil)],
            .commits(false)),
        ModelRow(
            "replacing a string that blocks keys by another is reported only for the string's own key",
            [.writeFile(.user, ["http": "text"]), .start(), .writeFile(.user, ["http": "off"])],
            .diagnostics(1)),
        ModelRow(
            "if a lock hides one fault of a value, the other one is reported",
            [
                .writeFile(.user, ["limits": ["open": 2000, "soft": "x"]]), .start(),
                .writeLocks(.etc, lines: ["limits.soft"]),
            ], .diagnostics(1)),
        ModelRow(
            "a write that violates several locks names the lowest",
            [
                .raiseLock("http.port", layer: "arguments"), .raiseLock("http.host", layer: "user"),
                .set("http", ["port": 81, "host": "h"], in: "overrides"),
            ], .outcomes([.rejectedByLock(layer: "user")])),
        ModelRow(
            "a part of a deep merge that would hide a locked value is not validated",
            [
                .writeFile(.etc, ["limits": ["open": ["x": 1]]]),
                .writeLocks(.etc, lines: ["limits.open.x"]), .writeFile(.user, ["limits": ["open": 5000]]),
                .start(),
            ], .typed("limits", ["open": 16], from: "user home/main"),
            .rejected("limits", ["system etc/main"])),
        ModelRow(
            "a lock also covers the nested keys that a literal key below it hides",
            [
                .writeFile(.user, ["http": ["tls": ["cert": "c", "key": "k"]], "http.tls": true]),
                .writeLocks(.usr, lines: ["http"]),
            ], .typed("http.tls.cert", "", from: nil), .raw("http", nil)),
        ModelRow(
            "removing a literal dictionary shows the nested one, although the nested keys do not change",
            [
                .writeFile(.user, ["unknown": ["deep": ["key": 1]], "unknown.deep": ["key": 2]]),
                .writeFile(.user, ["unknown": ["deep": ["key": 1]]]),
            ], .raw("unknown.deep", ["key": 1])),
        ModelRow(
            "a lock below the present name also applies below a former one",
            [
                .writeFile(.etc, ["mail": ["host": "a"]]), .writeLocks(.etc, lines: ["mail.host"]),
                .writeFile(.user, ["smtp": ["host": "b"]]),
            ], .typed("mail", ["host": "a"], from: "user home/main")),
        ModelRow(
            "of two locks, one within the other below another name, the outer one supplies the value",
            [
                .writeFile(.etc, ["mail": ["host": "a"], "smtp": ["host": ["x": 1]]]),
                .writeLocks(.etc, lines: ["mail.host", "smtp.host.x"]),
                .writeFile(.user, ["smtp": [:]]),
            ], .typed("mail", ["host": "a"], from: "user home/main")),
        ModelRow(
            "a literal struct is written though it contains a locked field that does not change",
            [
                .writeFile(.user, ["mta.relay": ["tls": ["minimum": "1.3"]]]),
                .raiseLock("mta.relay.tls", layer: "defaults"),
                .set(
                    "mta.relay",
                    [
                        "host": "a", "labels": ["a": 1], "names": ["n"], "port": 25,
                        "tls": ["minimum": "1.3", "strict": true],
                    ], typed: true),
            ], .outcomes([.effective])),
        ModelRow(
            "a lower layer's lock under another name holds within the value that an outer one supplies",
            [
                .writeFile(.etc, ["smtp": ["host": ["x": 1]]]),
                .writeFile(.user, ["mail": ["host": ["x": 2]]]),
                .set("mail", ["host": ["x": 3]], in: "overrides"),
                .writeLocks(.etc, lines: ["smtp.host.x"]), .raiseLock("mail.host", layer: "user"),
            ], .typed("mail", ["host": ["x": 1]], from: "overrides held")),
        ModelRow(
            "a dictionary is not named for a value in its place that a constraint rejects",
            [
                .writeFile(.user, ["pool": "off"]),
                .writeFile(.user.dropIn("20-b.plist"), ["pool": ["min": ["x": 1]]]), .start(),
                .writeFile(.user, ["pool": ["min": 20]]),
            ], .audited(["pool"])),
        ModelRow(
            "what blocks a literal key is no value of the dictionaries above that key",
            [
                .writeFile(.user.dropIn("10-a.plist"), ["http": ["tls": "off"]]),
                .writeFile(.user, ["http": 5, "http.tls.key": "b"]), .start(), .deleteFile(.user),
            ], .audited(["http"])),
        ModelRow(
            "a part that was rejected is no key of the dictionary that stays in force",
            [
                .writeFile(
                    .user.dropIn("10-a.plist"), ["http": ["listen": 70_000, "tls": ["key": "b"]]]),
                .writeFile(.user.dropIn("10-a.plist"), ["http": 2.5]),
                .writeFile(.user.dropIn("9-c.plist"), ["http": "off"]),
            ], .audited([])),
        ModelRow(
            "what the end of a lock uncovers rejects no write to another file of the layer",
            [
                .writeFile(.extra, ["pool": "off"]), .writeFile(.etc, ["pool": ["min": [:]]]),
                .breakLocks(.run, version: 2), .start(), .set("pool.min", nil, in: "system"),
            ], .outcomes([.effective]), .rejected("pool.min", ["system extra/main"])),
        ModelRow(
            "what is behind a value that stays in force is gone",
            [
                .writeFile(.user, ["http": ["port": 443], "http.port.deep": 7]),
                .writeFile(.user, ["http.port.deep": 7]),
            ], .typed("http.port", 443, from: "user home/main"), .raw("http.port.deep", nil)),
        ModelRow(
            "a value that stays in force for its own fault is not rejected for a constraint as well",
            [
                .writeFile(.user.dropIn("9-c.plist"), ["http": ["tls": ["cert": ""]]]),
                .writeFile(.extra, ["http": ["tls": ["key": "k"]]]),
                .writeFile(.user.dropIn("9-c.plist"), ["http.tls": 5]),
                .set("limits", [:], typed: true),
            ], .diagnostics(0)),
        ModelRow(
            "what stays in force and is wrong itself is no second reason to reject a value",
            [
                .writeFile(.user, ["mta": ["relay": "off"], "mta.relay.port": .date(0)]),
                .writeFile(.user, ["mta.relay": ["port": "x"]]),
            ], .diagnostics(2)),
        ModelRow(
            "a literal struct that loses its last field shows no nested one",
            [
                .start(["mta.relay": ["port": 26]]),
                .writeFile(.etc, ["mta": ["relay": ["host": "a"]], "mta.relay": ["port": 26]]),
                .set("mta.relay", relay(port: 26), in: "system", typed: true),
            ], .typed("mta.relay", relay(port: 26), from: "defaults held"), .file(.etc, [:])),
        ModelRow(
            "removing a field of a literal struct removes the nested one, too",
            [
                .writeFile(.user, ["mta": ["relay": ["port": 26]], "mta.relay": ["port": 26]]),
                .set("mta.relay", relay(host: "a"), typed: true),
            ], .file(.user, ["mta.relay": ["host": "a"]])),
        ModelRow(
            "a struct beside a write above it is written whole, so that a lock of a field rejects it",
            [
                .writeLocks(.run, lines: ["mta.relay.tls.minimum"]),
                .transaction(
                    [
                        ModelWrite(path: "mta.relay", value: relay(port: 26), isTyped: true),
                        ModelWrite(path: "mta", value: nil, layer: "overrides"),
                    ], writesOthers: false),
            ], .outcomes([.rejectedByLock(layer: "system"), .abandoned])),
        ModelRow(
            "a rejected field that is spelled in two literal keys shows no nested one",
            [
                .writeFile(
                    .user,
                    ["http": ["tls": ["key": "k"]], "http.tls": ["cert": "a"], "http.tls.cert": "b"])
            ], .typed("http", ["port": 80], from: nil), .raw("http", nil)),
        ModelRow(
            "a write of a field that a rejected value blocks is rejected",
            [
                .writeFile(.user, ["mta": ["relay": ["tls": [:]]]]),
                .start(["mta.relay": ["tls": ["strict": false]]]),
                .writeFile(.user, ["mta.relay": ["tls": "off"]]),
                .set("mta.relay", relay(), typed: true),
            ], .outcomes([.rejected(["mta.relay.tls.strict"])]),
            .file(.user, ["mta.relay": ["tls": "off"]])),
        ModelRow(
            "a write to a file whose value is rejected for a constraint is decided with what stays in force",
            [
                .writeFile(.user, ["pool": ["min": 20], "smtp": [:]]),
                .transaction(
                    [
                        ModelWrite(path: "pool.max", value: 1, layer: "overrides", isTyped: true),
                        ModelWrite(path: "mail", value: nil, isTyped: true),
                    ], writesOthers: false),
            ], .typed("pool.max", 1, from: "overrides held")),
        ModelRow(
            "a value that stays in force under a former name and is wrong itself is no second reason",
            [
                .writeFile(.user, ["http": ["port": 8080], "port": 0]), .writeFile(.user, ["port": 1.0]),
            ], .diagnostics(1)),
        ModelRow(
            "a field that is wrong in a value that stays in force is not rejected, and does not recover",
            [
                .writeFile(.user, ["gateway": ["port": "x"], "mta": ["relay": [:]]]),
                .writeFile(.user, ["gateway.port": 5000]), .set("pool.max", nil, in: "system", typed: true),
            ], .diagnostics(0)),
        ModelRow(
            "a lock whose path also ceases to keep a value stands for the locks below it",
            [
                .writeFile(.user, ["mta": [:]]), .writeFile(.user, ["mta": "off"]),
                .raiseLock("mta.relay.tls.minimum", layer: "user"), .writeLocks(.etc, lines: ["mta"]),
            ], .audited(["gateway"])),
        ModelRow(
            "a key that another value blocks than the one that stays in force does not change",
            [
                .writeFile(.user, ["http.port": 80]), .start(["http.port.deep": 1]),
                .writeFile(.user, ["http": ["port": 70_000]]), .set("http", ["port": 81]),
            ], .audited([])),
        ModelRow(
            "a value whose removal a constraint rejects is rejected for its own fault when its path is blocked",
            [
                .writeFile(.user, ["http.tls.cert": "b"]),
                .start(environment: ["http.tls.key": "a"], arguments: ["http.tls.cert": ""]),
                .deleteFile(.user), .writeFile(.etc, ["http": ["tls": ["key": ""]]]),
                .writeFile(.user, ["http": ["tls": "off"]]),
            ], .diagnostics(3)),
        ModelRow(
            "a value that is rejected is not reported again if a lock reserves a part of it",
            [
                .writeFile(.user, ["mta.relay.tls": [:]]), .breakLocks(.usr, version: 1),
                .writeFile(.user, ["mta": ["relay": ["host": "b", "port": 5000]]]),
                .writeFile(.run, ["mta": ["relay": ["host": "b"]]]),
            ], .diagnostics(0)),
        ModelRow(
            "a value that is rejected is not reported again if it moves to another name of its key",
            [
                .start(), .set("mta.relay.tls", [:]),
                .writeFile(.user, ["gateway": ["host": "b", "port": 5000]]),
                .writeFile(.user, ["mta.relay": ["host": "b", "port": 5000]]),
            ], .diagnostics(0)),
        ModelRow(
            "what blocks a path blocks it also below a value that stays in force",
            [
                .start(), .writeFile(.user, ["http": ["tls": [:]]]), .writeFile(.user, ["http.tls": "off"]),
                .set("http", .integer(1_180_591_620_717_411_303_424)),
            ],
            .outcomes([.rejected(["http", "http.host", "http.port", "http.tls.cert", "http.tls.key"])])),
        ModelRow(
            "what lies behind a field of the wrong type is gone when the struct stays as it was",
            [
                .start(), .writeFile(.user, ["mta.relay.tls": "off", "mta.relay.tls.minimum": "1.3"]),
                .writeFile(
                    .user, ["mta.relay.port": 5000, "mta.relay.tls": "off", "mta.relay.tls.minimum": "1.3"]),
            ], .diagnostics(1)),
        ModelRow(
            "a wrong value under a former name keeps what the present name has in force",
            [.writeFile(.user, ["http.port": 81]), .writeFile(.user, ["port": 0])],
            .typed("http.port", 81, from: "user home/main")),
        ModelRow(
            "a wrong value under the present name keeps what a former name has in force",
            [.writeFile(.user, ["port": 81]), .writeFile(.user, ["port": 81, "http.port": 0])],
            .typed("http.port", 81, from: "user home/main")),
        ModelRow(
            "what stays in force is the same when the file is written again without a change",
            [
                .writeFile(.user, ["http.port": 81, "port": "8080"]), .writeFile(.user, ["port": 0]),
                .writeFile(.user, ["port": 0, "unknown": 1]),
            ], .typed("http.port", 81, from: "user home/main")),
        ModelRow(
            "what a transaction adds and removes again takes an empty dictionary with it",
            [
                .set("http", [:], in: "overrides"),
                .transaction(
                    [
                        ModelWrite(path: "http.listen", value: [:], layer: "overrides"),
                        ModelWrite(path: "http.listen", value: nil, layer: "overrides"),
                    ], writesOthers: true),
            ], .commits(true)),
        ModelRow(
            "a write below a new value that is rejected throws",
            [
                .writeFile(.user, ["http.port": 8080]), .writeFile(.user, ["http": true]),
                .writeFile(.user.dropIn("10-a.plist"), ["http.port.deep": 1]), .set("http.port.deep", 1),
            ],
            .outcomes([.rejected(["http.port.deep"])])),
        ModelRow(
            "a wrong value under a former name is no earlier value of the key",
            [
                .start(), .writeFile(.user, ["http.listen": "8080"]),
                .writeFile(.user, ["http": ["port": [:]], "http.listen": "8080"]),
            ], .typed("http.port", 8080, from: nil), .rejected("http.port", [])),
        ModelRow(
            "a removal is not rejected for what something else was rejected for before",
            [
                .set("http.tls.cert", "", typed: true), .writeFile(.user, ["http": 2.5]),
                .writeFile(.run, ["http": ["tls": ["key": "a"]]]), .deleteFile(.user),
            ], .typed("http", ["port": 80], from: nil)),
        ModelRow(
            "a write that changes nothing leaves in force what was rejected",
            [
                .writeFile(.user, ["http.tls.cert": "b"]), .start(environment: ["http.tls.key": "b"]),
                .deleteFile(.user), .set("mta.relay", nil),
            ], .typed("http.tls.cert", "b", from: "user home/main")),
        ModelRow(
            "the removal of a user's drop-in, which was emptied before, is rejected for a constraint",
            [
                .writeFile(.user.dropIn("20-b.plist"), ["http": ["tls": ["key": "a"]]]),
                .start(arguments: ["http.tls.cert": "a"]), .writeFile(.user.dropIn("20-b.plist"), [:]),
                .deleteFile(.user.dropIn("20-b.plist")),
            ], .typed("http.tls.key", "a", from: "user home/20-b.plist")),
        ModelRow(
            "a lock that is not there is removed without a new decision",
            [
                .writeFile(.user, ["http.host": "a"]),
                .writeFile(.user, ["http": "off", "http.port": 1.0, "port": 443]),
                .lowerLock("gateway.host", layer: "user"),
            ], .diagnostics(0)),
        ModelRow(
            "a value of an unchanged file is reported once, whatever name of its key counts",
            [
                .writeFile(.user, ["http": ["port": 81]]), .writeFile(.user, ["http": 1, "port": 1.0]),
                .writeFile(.user.dropIn("10-a.plist"), ["http.port": 2.5]),
            ], .diagnostics(1)),
        ModelRow(
            "a rule that what is in force breaks under unreadable locks rejects no other layer",
            [
                .start(environment: ["http.tls.key": ""]), .writeFile(.usr, ["http.tls.key": "a"]),
                .breakLocks(.usr, version: 2), .writeFile(.usr, ["mta.relay": ["tls": ["strict": 1]]]),
                .writeFile(.user, ["http.port": 80]),
            ],
            .typed("http", ["port": 80, "tls": ["key": "a"]], from: "user home/main")),
        ModelRow(
            "a lock below a field's former name forbids a value that would hide it",
            [
                .writeFile(.etc.dropIn("20-b.plist"), ["gateway": ["port": ["x": 1]]]), .start(),
                .breakLocks(.usr, version: 1),
                .set(
                    "mta.relay",
                    [
                        "host": "h", "labels": [:], "names": ["a", "b"], "port": 27,
                        "tls": ["minimum": "1.2", "strict": true],
                    ], in: "overrides", typed: true),
            ], .outcomes([.rejectedByLock(layer: "system")])),
        ModelRow(
            "a dictionary is kept as one field, although another field is wrong, too",
            [
                .set(
                    "mta.relay",
                    [
                        "host": "h", "labels": [:], "names": ["a", "b"], "port": 27,
                        "tls": ["minimum": "1.2", "strict": true],
                    ], typed: true),
                .writeFile(.user, ["mta": ["relay": ["host": 1, "labels": ["a": "x"]]]]),
            ],
            .typed(
                "mta.relay",
                [
                    "host": "h", "labels": [:], "names": ["n"], "port": 25,
                    "tls": ["minimum": "1.2", "strict": true],
                ], from: "user home/main")),
        ModelRow(
            "another wrong value of a secret is reported, although the words are the same",
            [
                .writeFile(.user, ["http": [:]]), .writeFile(.user, ["http": "off"]),
                .writeFile(.user, ["http": "text"]),
            ], .diagnostics(1)),
        ModelRow(
            "a write is rejected for a value that it locks itself, because the locks cannot be read",
            [
                .start(), .breakLocks(.etc, version: 2),
                .transaction(
                    [
                        ModelWrite(path: "http.tls.cert", value: "", layer: "system", isTyped: true),
                        ModelWrite(
                            path: "http.tls", value: ["cert": "a", "key": "b"], layer: "overrides"),
                    ], writesOthers: false),
            ],
            .outcomes(Array(repeating: .rejected(["http.tls.cert, http.tls.key"]), count: 2))),
        ModelRow(
            "a write is not rejected for a kept value if it only takes away what blocks its path",
            [
                .start(), .writeFile(.user, ["http": "off", "http.tls.key": ""]),
                .start(environment: ["http.tls.key": "?"]),
                .writeFile(.user, ["http": "off"]), .set("http", [:], typed: true),
            ],
            .outcomes([.effective])),
        ModelRow(
            "what stays in place of fewer values than before is not written with the others",
            [
                .writeFile(.etc, ["http": ["x"]]), .writeFile(.user, ["http": ["tls": ["key": "b"]]]),
                .start(), .writeFile(.user, [:]),
                .writeFile(.user.dropIn("10-a.plist"), ["http": [:]]), .set("http", [:], typed: true),
            ],
            .typed("http.tls.key", "b", from: "user home/main"),
            .outcomes([
                .shadowed(
                    by: ModelOrigin(
                        layer: "user", source: "home/10-a.plist", name: "http", spelling: .nested))
            ])),
        ModelRow(
            "a value that is wrong without what a lock hides it for leaves the one in force",
            [
                .set("pool.min", 2, typed: true), .breakLocks(.etc, version: 1),
                .writeFile(.etc, ["pool": ["min": ["x": 1]]]),
                .writeFile(.user, ["pool": ["min": 3.0]]),
            ], .typed("pool.min", 2, from: "user home/main")),
        ModelRow(
            "a wrong struct of which a lock reserves a part is not reported again",
            [
                .writeFile(.etc, ["mta.relay": ["host": "b", "port": 5000]]),
                .raiseLock("gateway.host", layer: "defaults"),
            ], .diagnostics(0)),
        ModelRow(
            "what a removed file would uncover is not reported again when the file below is edited",
            [
                .writeFile(.user.dropIn("9-c.plist"), ["port": 8080]),
                .writeFile(.etc, ["http.port": .integer(1_180_591_620_717_411_303_424)]),
                .deleteFile(.user.dropIn("9-c.plist")),
                .writeFile(.etc, ["http": ["port": 0], "ratio": 3]),
            ], .diagnostics(1)),
        ModelRow(
            "a drop-in that breaks while it is masked has no contents when the mask is gone",
            [
                .writeFile(.usr.dropIn("9-c.plist"), ["mta": ["relay": ["host": "b"]]]), .start(),
                .maskDropIn(.etc.dropIn("9-c.plist")),
                .breakFile(.usr.dropIn("9-c.plist"), version: 2),
                .deleteFile(.etc.dropIn("9-c.plist")),
            ], .raw("mta.relay.host", nil)),
        ModelRow(
            "a broken drop-in that is masked has no contents when the mask is gone",
            [
                .writeFile(.usr.dropIn("9-c.plist"), ["ratio": 0.25]), .start(),
                .breakFile(.usr.dropIn("9-c.plist"), version: 2),
                .maskDropIn(.etc.dropIn("9-c.plist")), .deleteFile(.etc.dropIn("9-c.plist")),
            ], .typed("ratio", 0.5, from: nil)),
        ModelRow(
            "a removal that is held back stays so if the file comes back unreadable",
            [
                .writeFile(.user, ["mail": "off"]),
                .writeFile(.user.dropIn("20-b.plist"), ["mail": [:], "mta.relay.tls.minimum": "1.3"]),
                .start(),
                .deleteFile(.user.dropIn("20-b.plist")),
                .breakFile(.user.dropIn("20-b.plist"), version: 1), .writeFile(.etc, [:]),
            ], .raw("mta.relay.tls.minimum", "1.3")),
        ModelRow(
            "a problem of another layer's file is reported with each version that it rejects",
            [
                .writeFile(.user.dropIn("10-a.plist"), ["http": ["listen": 443]]),
                .writeFile(.etc, ["http.port": 0]), .deleteFile(.user.dropIn("10-a.plist")),
                .writeFile(.etc, ["limits": ["soft": "x"]]), .writeFile(.user, ["http.tls.key": "a"]),
            ], .diagnostics(2)),
        ModelRow(
            "the report of a kept value names no other file",
            [
                .start(["mta.relay.tls.minimum": 1]),
                .writeFile(.usr.dropIn("20-b.plist"), ["mta": ["relay": ["port": 5000]]]),
                .writeFile(.user, ["mta": ["relay": ["tls": ["minimum": "1.3"]]]]),
                .writeFile(.etc, ["http.tls": [:]]), .writeFile(.user, [:]),
            ], .raw("mta.relay.tls.minimum", "1.3")),
        ModelRow(
            "a write is not rejected for a file of its directory that another one masks",
            [
                .writeFile(.etc.dropIn("10-a.plist"), ["port": 1.0]),
                .writeFile(.etc, ["pool": ["max": [:]]]), .maskDropIn(.run.dropIn("10-a.plist")),
                .set("http", nil, in: "system", typed: true),
            ], .outcomes([.rejected(["pool.max"])])),
        ModelRow(
            "a file with the same values in another spelling is the newest, although its directory is rejected",
            [
                .writeFile(.etc, ["http.host": "a"]), .start(),
                .burst([
                    .writeFile(.etc.dropIn("20-b.plist"), ["http": ["tls": "off"]]),
                    .writeFile(.etc, ["http": ["host": "a"]]),
                ]),
            ], .typed("http.host", "a", from: "system etc/main")),
        ModelRow(
            "a problem of a masked file is over when another file of its directory is rejected",
            [
                .writeFile(.usr.dropIn("9-c.plist"), ["limits.soft": "x", "pool.max": 5]),
                .writeFile(.usr, ["pool.min": 3]),
                .writeFile(.user.dropIn("10-a.plist"), ["pool.max": 1]),
                .maskDropIn(.etc.dropIn("9-c.plist")),
            ], .diagnostics(1)),
        ModelRow(
            "a write above a dotted key is not in the way of another one below it",
            [
                .start(), .writeFile(.user, ["mta.relay": [:]]),
                .transaction(
                    [
                        ModelWrite(path: "mta", value: ["relay": "off"]),
                        ModelWrite(path: "mta.relay.tls", value: ["minimum": "1.3"]),
                    ], writesOthers: true),
            ], .outcomes([.effective, .effective]), .raw("mta.relay.tls.minimum", "1.3")),
        ModelRow(
            "of a struct, a user's file keeps only the field that hides a new wrong value",
            [
                .writeFile(.user, ["mta.relay": ["host": "a", "port": 26]]), .start(),
                .burst([
                    .writeFile(.etc, ["mta.relay": ["port": "x"]]),
                    .writeFile(.user, ["mta.relay": ["host": "b"]]),
                ]),
            ], .typed("mta.relay", relay(host: "b", port: 26), from: "user home/main")),
        ModelRow(
            "the removal of a file takes effect when unreadable locks lock what it hides",
            [
                .start(["log": ["level": .date(1)]]),
                .writeFile(.usr, ["http.port": 0, "log.level": "debug"]),
                .writeFile(.user.dropIn("9-c.plist"), ["http": ["port": 443]]),
                .burst([.deleteFile(.user.dropIn("9-c.plist")), .deleteFile(.usr)]),
                .breakLocks(.usr, version: 2),
            ], .typed("http", ["port": 0], from: "system usr/main")),
        ModelRow(
            "a value that is wrong for another reason under a new lock is reported again",
            [
                .start(), .writeFile(.extra.dropIn("10-a.plist"), ["limits": ["open": 5000, "soft": "x"]]),
                .writeLocks(.etc, lines: ["limits.soft"]),
            ], .diagnostics(1)),
        ModelRow(
            "a typed write replaces a wrong value of a user's file whose removed drop-in is rejected",
            [
                .start(["http": "off"]),
                .burst([
                    .writeFile(.user, ["mta.relay": ["port": "x"]]),
                    .writeFile(.user.dropIn("20-b.plist"), ["http.host": "a"]),
                ]), .deleteFile(.user.dropIn("20-b.plist")),
                .set("mta.relay", relay(host: "a", port: 25), typed: true),
            ], .outcomes([.rejected(["http", "http.host"])])),
    ]

    static let all =
        order + places + keys + keysCorners + keysWritten + wrongValues + text + groups + badFiles + writes
        + locks + locksOverAncestors + structs + changes + audit + rejections + found
}
