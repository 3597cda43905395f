@testable import PrefsReferenceModel

extension ModelRow {
    /// Rejected edits. In `system`, whole revisions are rejected; in `user`, single values.
    static let rejections = [
        ModelRow(
            "if the locks cannot be read, what stays in force is locked, and so is what is rejected",
            [
                .writeFile(.etc, ["http.host": "s"]), .set("http.host", "u"), .set("verbose", false),
                .breakLocks(.etc, version: 1), .writeFile(.etc, ["http.port": "x", "verbose": true]),
            ], .typed("http.host", "s", from: "system etc/main"), .typed("verbose", false, from: nil),
            .lock("http.host", "system"), .lock("verbose", "system")),
        ModelRow(
            "what an accepted version does not set is no longer locked",
            [
                .writeFile(.etc, ["http.host": "s"]), .set("http.host", "u"), .breakLocks(.etc, version: 1),
                .writeFile(.etc, ["http.port": "x"]), .writeFile(.etc, ["http.port": 81]),
            ], .typed("http.host", "u", from: "user home/main"), .lock("http.host", nil)),
        ModelRow(
            "a wrong value leaves the one in force",
            [.writeFile(.user, ["http.port": 81]), .writeFile(.user, ["http.port": 70_000])],
            .typed("http.port", 81, from: "user home/main"), .events([]), .diagnostics(1)),
        ModelRow(
            "a wrong value of a user's file rejects no other value",
            [
                .writeFile(.user, ["http.port": 81, "verbose": false]),
                .writeFile(.user, ["http.port": "x", "verbose": true]),
            ], .typed("http.port", 81, from: "user home/main"),
            .typed("verbose", true, from: "user home/main")),
        ModelRow(
            "a wrong value rejects the whole version of an administrator's file",
            [
                .writeFile(.etc, ["http.port": 81, "verbose": false]),
                .writeFile(.etc, ["http.port": "x", "verbose": true]),
            ], .typed("http.port", 81, from: "system etc/main"),
            .typed("verbose", false, from: "system etc/main"),
            .commits(false), .diagnostics(1)),
        ModelRow(
            "the files of a directory that change together are rejected together",
            [
                .writeFile(.etc, ["verbose": false]),
                .writeFile(.etc.dropIn("10-a.plist"), ["http.port": 81]),
                .burst([
                    .writeFile(.etc, ["verbose": true]),
                    .writeFile(.etc.dropIn("10-a.plist"), ["http.port": "x"]),
                ]),
            ], .typed("verbose", false, from: "system etc/main"),
            .typed("http.port", 81, from: "system etc/10-a.plist")),
        ModelRow(
            "a wrong value of one directory rejects nothing of another one",
            [
                .writeFile(.etc, ["verbose": false]),
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 81]),
                .burst([
                    .writeFile(.etc, ["verbose": true]),
                    .writeFile(.usr.dropIn("10-a.plist"), ["http.port": "x"]),
                ]),
            ], .typed("verbose", true, from: "system etc/main"),
            .typed("http.port", 81, from: "system usr/10-a.plist")),
        ModelRow(
            "what a rejected directory masks stays in force",
            [
                .writeFile(.usr.dropIn("10-a.plist"), ["http.port": 81]), .start(),
                .burst([
                    .maskDropIn(.etc.dropIn("10-a.plist")), .writeFile(.etc, ["ratio": "x"]),
                ]),
            ], .typed("http.port", 81, from: "system usr/10-a.plist"), .diagnostics(1)),
        ModelRow(
            "a value that was wrong at the start rejects no edit",
            [
                .writeFile(.etc, ["http.port": "x"]), .start(),
                .writeFile(.etc, ["http.port": "x", "verbose": true]),
            ], .typed("verbose", true, from: "system etc/main"), .typed("http.port", 8080, from: nil)),
        ModelRow(
            "what a write takes away stays away, although another file of the layer is wrong",
            [
                .writeFile(.user, ["http.tls.cert": ""]),
                .writeFile(.user.dropIn("9-c.plist"), ["http.tls.cert": "a"]),
                .set("http.tls.cert", nil, typed: true),
            ], .outcomes([.effective])),
        ModelRow(
            "a wrong value in the user's file leaves no value in the place of none",
            [
                .writeFile(.etc, ["http.port": 1]),
                .writeFile(.user, ["http.port": "many", "http.host": "a"]),
            ],
            .typed("http.port", 1, from: "system etc/main"), .raw("http", ["host": "a", "port": 1]),
            .rejected("http.port", []), .diagnostics(1)),
        ModelRow(
            "a wrong value that an earlier wrong one has in another file is a new one",
            [
                .writeFile(.user.dropIn("10-a.plist"), ["ratio": "x"]), .start(),
                .writeFile(.user, ["ratio": "x"]),
            ], .commits(false), .diagnostics(1)),
        ModelRow(
            "a wrong value that moves to another file of its layer is no new one",
            [
                .writeFile(.etc, ["ratio": "x"]), .start(),
                .burst([
                    .deleteFile(.etc), .writeFile(.etc.dropIn("10-a.plist"), ["ratio": "x", "http.port": 1]),
                ]),
            ], .typed("http.port", 1, from: "system etc/10-a.plist")),
        ModelRow(
            "what blocks the keys below it is reported for all of them at once",
            [.writeFile(.user, ["http": "off"])], .diagnostics(5), .raw("http", nil)),
        ModelRow(
            "another edit reports nothing more of what blocks the keys below it",
            [.writeFile(.user, ["http": "off"]), .writeFile(.etc, ["ratio": 1.0])], .diagnostics(0)),
        ModelRow(
            "a value that a kept one hides is reported beside another problem of the user's file",
            [
                .start(),
                .writeFile(
                    .extra, ["log.level": "debug", "mta.relay.tls.minimum": 1, "pool": ["max": 3, "min": 5]]),
                .writeFile(.user, ["pool.max": 1]), .start(["log.level": 5]),
                .writeFile(.user, ["mta.relay.tls.minimum": "1.3"]), .deleteFile(.extra), .deleteFile(.user),
            ], .diagnostics(1)),
        ModelRow(
            "a mask that cannot be read any more is still one",
            [
                .start(), .writeFile(.usr.dropIn("20-b.plist"), ["cache.size": "x"]),
                .maskDropIn(.run.dropIn("20-b.plist")), .breakFile(.run.dropIn("20-b.plist"), version: 2),
            ], .diagnostics(1)),
        ModelRow(
            "the other files of a layer wait as long as one of them is rejected",
            [
                .writeFile(.etc, ["http.port": "x"]),
                .writeFile(.etc.dropIn("10-a.plist"), ["verbose": true]),
            ], .typed("verbose", false, from: nil), .typed("http.port", 8080, from: nil),
            .rejected("http.port", []), .commits(false), .diagnostics(1)),
        ModelRow(
            "the files of a layer take effect together once the wrong one is mended",
            [
                .writeFile(.etc, ["http.port": "x"]),
                .writeFile(.etc.dropIn("10-a.plist"), ["verbose": true]),
                .writeFile(.etc, ["http.port": 81]),
            ], .typed("verbose", true, from: "system etc/10-a.plist"),
            .typed("http.port", 81, from: "system etc/main"), .diagnostics(1)),
        ModelRow(
            "a rejected layer does not stop edits of other layers",
            [.writeFile(.etc, ["http.port": "x"]), .writeFile(.user, ["verbose": true])],
            .typed("verbose", true, from: "user home/main"), .typed("http.port", 8080, from: nil),
            .diagnostics(0)),
        ModelRow(
            "a rejected version takes effect once another file makes it right",
            [
                .writeFile(.etc, ["pool.min": 20]), .writeFile(.etc.dropIn("10-a.plist"), ["pool.max": 30]),
            ], .typed("pool.min", 20, from: "system etc/main"),
            .typed("pool.max", 30, from: "system etc/10-a.plist"), .diagnostics(1)),
        ModelRow(
            "a mended file takes effect",
            [
                .writeFile(.etc, ["http.port": 81]), .writeFile(.etc, ["http.port": "x"]),
                .writeFile(.etc, ["http.port": 82]),
            ], .typed("http.port", 82, from: "system etc/main"), .diagnostics(1)),
        ModelRow(
            "a rejected version takes effect at a start, without its wrong values",
            [
                .writeFile(.etc, ["http.port": 81, "verbose": false]),
                .writeFile(.etc, ["http.port": "x", "verbose": true]), .start(),
            ], .typed("http.port", 8080, from: nil), .typed("verbose", true, from: "system etc/main"),
            .rejected("http.port", ["system etc/main"])),
        ModelRow(
            "a value that is gone leaves none that was rejected",
            [
                .writeFile(.user, ["http.port": 81]), .writeFile(.user, ["http.port": "x"]),
                .writeFile(.user, ["verbose": true]),
            ], .typed("http.port", 8080, from: nil)),
        ModelRow(
            "a rule over several keys rejects the new values that it concerns",
            [
                .writeFile(.user, ["pool": ["min": 2, "max": 4]]),
                .writeFile(.user, ["pool": ["min": 5, "max": 4], "verbose": true]),
            ], .typed("pool.min", 2, from: "user home/main"), .typed("pool.max", 4, from: "user home/main"),
            .typed("verbose", true, from: "user home/main")),
        ModelRow(
            "a wrong value below an acceptable one rejects nothing",
            [
                .writeFile(.user, ["http.port": 81]), .writeFile(.etc, ["http.port": "x", "verbose": true]),
            ], .typed("http.port", 81, from: "user home/main"),
            .typed("verbose", true, from: "system etc/main")),
        ModelRow(
            "a value stays that alone hides a wrong one",
            [
                .writeFile(.user, ["http.port": 81]), .writeFile(.etc, ["http.port": "x"]),
                .writeFile(.user, ["verbose": true]),
            ], .typed("http.port", 81, from: "user home/main"),
            .typed("verbose", true, from: "user home/main")),
        ModelRow(
            "a write of a wrong value is rejected",
            [.writeFile(.user, ["http.port": 81]), .set("http.port", 70_000)],
            .outcomes([.rejected(["http.port"])]), .file(.user, ["http.port": 81])),
        ModelRow(
            "a write mends the file whose newest version is rejected",
            [
                .writeFile(.etc, ["http.port": 81]), .writeFile(.etc, ["http.port": "x", "verbose": true]),
                .set("http.port", 82, in: "system"),
            ], .outcomes([.effective]), .typed("http.port", 82, from: "system etc/main"),
            .typed("verbose", true, from: "system etc/main")),
        ModelRow(
            "a write to a file whose newest version is rejected does not put that into force",
            [
                .writeFile(.etc, ["http.port": 81]), .writeFile(.etc, ["http.port": "x"]),
                .set("verbose", true, in: "system"),
            ], .outcomes([.rejected(["http.port"])]), .typed("http.port", 81, from: "system etc/main"),
            .file(.etc, ["http.port": "x"])),
    ]
}
