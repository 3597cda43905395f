@testable import PrefsReferenceModel

extension ModelRow {
    /// Returns all fields of the struct `mta.relay`; by default, with the default values of its key.
    static func relay(
        host: ModelValue = "h", labels: ModelValue = ["a": 1], port: ModelValue = 25,
        tls: ModelValue = ["minimum": "1.2", "strict": true]
    ) -> ModelValue {
        ["host": host, "labels": labels, "names": ["n"], "port": port, "tls": tls]
    }

    private static func file(_ relay: ModelValue) -> [String: ModelValue] { ["mta": ["relay": relay]] }

    static let structs = [
        ModelRow(
            "each field of a struct has the value of the highest layer that sets it",
            [
                .writeFile(.etc, file(["host": "a", "port": 27, "tls": ["strict": false]])),
                .writeFile(.user, file(["port": 26, "tls": ["minimum": "1.3"]])),
            ],
            .typed(
                "mta.relay", relay(host: "a", port: 26, tls: ["minimum": "1.3", "strict": false]),
                from: "user home/main")),
        ModelRow(
            "a dictionary in a struct is replaced as a whole",
            [.writeFile(.etc, file(["labels": ["b": 2]])), .writeFile(.user, file(["labels": ["c": 3]]))],
            .typed("mta.relay", relay(labels: ["c": 3]), from: "user home/main")),
        ModelRow(
            "a wrong field is rejected alone, and the next lower one is effective",
            [
                .writeFile(.etc, file(["port": 27])),
                .writeFile(.user, file(["host": "a", "port": "x"])), .start(),
            ], .typed("mta.relay", relay(host: "a", port: 27), from: "user home/main"),
            .rejected("mta.relay", ["user home/main"]), .diagnostics(1)),
        ModelRow(
            "a non-dictionary in place of a struct is rejected",
            [.writeFile(.etc, file(["port": 27])), .writeFile(.user, file("off")), .start()],
            .typed("mta.relay", relay(port: 27), from: "system etc/main"),
            .rejected("mta.relay", ["user home/main"])),
        ModelRow(
            "if a struct is invalid, the lowest layer that makes it so is rejected",
            [.writeFile(.etc, file(["port": 5000])), .writeFile(.user, file(["host": "a"])), .start()],
            .typed("mta.relay", relay(host: "a"), from: "user home/main"),
            .rejected("mta.relay", ["system etc/main"])),
        ModelRow(
            "a struct is read under its former name",
            [.writeFile(.etc, file(["host": "a"])), .writeFile(.user, ["gateway": ["port": 26]])],
            .typed("mta.relay", relay(host: "a", port: 26), from: "user home/main")),
        ModelRow(
            "a locked field has the value of the locking layer, the others that of higher ones",
            [
                .writeFile(.etc, file(["port": 27])), .writeLocks(.etc, lines: ["mta.relay.port"]),
                .writeFile(.user, file(["host": "a", "port": 26])),
            ], .typed("mta.relay", relay(host: "a", port: 27), from: "user home/main")),
        ModelRow(
            "writing a struct writes the fields that differ from the layers below",
            [
                .writeFile(.etc, file(["port": 27])),
                .set("mta.relay", relay(host: "a", port: 27), typed: true),
            ], .file(.user, file(["host": "a"])), .outcomes([.effective])),
        ModelRow(
            "writing a struct removes the fields that the layers below give",
            [
                .writeFile(.etc, file(["port": 27])), .writeFile(.user, file(["host": "a", "port": 26])),
                .set("mta.relay", relay(host: "a", port: 27), typed: true),
            ], .file(.user, file(["host": "a"]))),
        ModelRow(
            "a field is written in the spelling of its struct",
            [
                .writeFile(.user, ["mta.relay": ["port": 26]]),
                .set("mta.relay", relay(host: "a", port: 26), typed: true),
            ], .file(.user, ["mta.relay": ["host": "a", "port": 26]])),
        ModelRow(
            "a struct keeps its spelling although all its fields are replaced by others",
            [
                .writeFile(.user, ["mta.relay": ["host": "a"]]),
                .set("mta.relay", relay(port: 26), typed: true),
            ], .file(.user, ["mta.relay": ["port": 26]])),
        ModelRow(
            "a struct that leaves its locked fields as they are is written",
            [
                .writeFile(.etc, file(["port": 27])), .writeLocks(.etc, lines: ["mta.relay.port"]),
                .set("mta.relay", relay(host: "a", port: 27), typed: true),
            ], .outcomes([.effective]), .file(.user, file(["host": "a"]))),
        ModelRow(
            "a struct that changes a locked field is not written",
            [
                .writeFile(.etc, file(["port": 27])), .writeLocks(.etc, lines: ["mta.relay.port"]),
                .set("mta.relay", relay(host: "a", port: 26), typed: true),
            ], .outcomes([.rejectedByLock(layer: "system")]), .commits(false)),
    ]
}
