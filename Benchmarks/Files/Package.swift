// swift-tools-version: 6.3

// Its own package, so that Foundation and libplist are nobody's dependency. The sources it measures are
// links to the library's, compiled into this package, whose doors they open by `package` access.

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
    name: "FilesBenchmark",
    platforms: [.macOS(.v26)],
    targets: [
        .systemLibrary(name: "CPlist", providers: [.apt(["libplist-dev"])]),
        .target(name: "FileWatching", swiftSettings: settings),
        .target(name: "LayeredPrefs", dependencies: ["FileWatching"], swiftSettings: settings),
        .executableTarget(
            name: "FilesBenchmark", dependencies: ["LayeredPrefs", "FileWatching", "CPlist"],
            swiftSettings: settings),
    ]
)
