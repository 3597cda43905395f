/// The user's file at one step of the script.
struct UserFile {
    var port: String
    var telemetry: Bool?
    var workers: Int?

    var text: String {
        plist(
            """
                <key>http</key>
                <dict>
                    <key>port</key>
                    \(port)\(workers.map { "\n        <key>workers</key>\n        <integer>\($0)</integer>" } ?? "")
                </dict>\(telemetry.map { "\n    <key>telemetry</key>\n    <\($0)/>" } ?? "")
            """)
    }
}

/// The drop-in that a package installs.
enum DropIn {
    static let text = plist(
        """
            <key>http.host</key>
            <string>0.0.0.0</string>
        """)
}

private func plist(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \(entries)
    </dict>
    </plist>

    """
}
