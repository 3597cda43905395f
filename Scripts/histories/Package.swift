// swift-tools-version: 6.3

// The library and the code that runs the model's traces, without macros and tests; `layout` links the
// sources.

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
    name: "Histories",
    platforms: [.macOS(.v26)],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.2.0")],
    targets: [
        .target(name: "CFileWatching"),
        .target(name: "FileWatching", dependencies: ["CFileWatching"], swiftSettings: settings),
        .target(name: "CLayeredPrefs"),
        .target(
            name: "LayeredPrefs",
            dependencies: [
                "FileWatching", "CFileWatching", "CLayeredPrefs",
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        .target(name: "LayeredPrefsTesting", dependencies: ["LayeredPrefs"], swiftSettings: settings),
        .executableTarget(
            name: "soak",
            dependencies: ["LayeredPrefs", "LayeredPrefsTesting", "FileWatching"],
            path: "Histories",
            swiftSettings: settings
        ),
    ]
)
