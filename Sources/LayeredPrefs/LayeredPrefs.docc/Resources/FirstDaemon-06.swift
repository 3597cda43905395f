import Foundation
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import relay

@Test func `a port that does not exist is refused`() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "etc/relay")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "relay.toml")
    let storage = LayeredPrefsStorage.daemon("relay", root: root.path, environment: [:], arguments: [])
    let relay = try Live(Relay(), storage)

    try Data("greeting = 'good morning'".utf8).write(to: file, options: .atomic)
    await storage.reloadAndSettle()
    #expect(relay.current.greeting == "good morning")

    try Data("greeting = 'hello'\nlisten.port = 0".utf8).write(to: file, options: .atomic)
    await storage.reloadAndSettle()
    #expect(relay.current.greeting == "good morning")
}
