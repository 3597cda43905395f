import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

extension LiveProcess {
    /// Prints the state of the process's sources and its problems; returns the exit code for them.
    func printDoctor(json: Bool) throws -> ExitCode? {
        let status = try status()
        let rejections = try answer(InspectionRequest(.rejected), \.rejections)
        let drift = try drift(environment: nil)
        if json {
            Output.print(status.doctorJSON(rejections, drift).text)
        } else {
            status.print(rejections, drift, .output)
        }
        if !status.problems.isEmpty { return CommandStatus.broken }
        return rejections.isEmpty ? nil : CommandStatus.failed
    }
}

extension InspectionReply.Status {
    fileprivate func print(
        _ rejections: [InspectionReply.Rejection], _ drift: [InspectionReply.Drift], _ style: Style
    ) {
        Output.print(style("Process \(pid) of \(domain), generation \(generation)", .bold))
        Output.print(style("Sources", .bold))
        var table = Table()
        for source in sources {
            let state = source.problem != nil ? "broken" : source.isBehind == true ? "not yet loaded" : "ok"
            table.add(
                .init(source.layer ?? ""), .init(source.file ?? ""),
                .init(state, state == "ok" ? .green : .red), .init(source.engine ?? "", .dim))
        }
        for line in table.lines(style, isAligned: true, indent: "  ") { Output.print(line) }
        Output.print("\(keys) keys, \(locks) locks")
        if !drift.isEmpty {
            Output.print("A restart would change \(drift.count) keys; 'prefs drift' lists them")
        }
        let problems = sources.compactMap(\.problem) + rejections.flatMap(\.reasons)
        if problems.isEmpty { return Output.print(style("No problems found.", .green)) }
        Output.print(style("Problems", .bold))
        for problem in problems { Output.print("  \(style(problem, .red))") }
    }

    fileprivate func doctorJSON(
        _ rejections: [InspectionReply.Rejection], _ drift: [InspectionReply.Drift]
    ) -> OrderedJSON {
        .object([
            ("process", json),
            (
                "rejected",
                .array(
                    rejections.map { rejection in
                        .object([
                            ("key", .string(rejection.key)),
                            ("reasons", .array(rejection.reasons.map { .string($0) })),
                        ])
                    })
            ),
            ("drift", .array(drift.map { .string($0.key) })),
        ])
    }
}
