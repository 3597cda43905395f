// swift-tools-version: 6.1

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// Links Swift's libraries statically, as `--static-swift-stdlib` does for a whole build. A Debian package can
/// only depend on libraries that are in Debian. Modules that were compiled for the shared libraries do not name
/// the libraries inside Foundation, so they are listed here.
let staticLibraries: [LinkerSetting] =
    [.unsafeFlags(["-static-stdlib"])]
    + [
        "FoundationInternationalization", "CoreFoundation", "_FoundationCShims", "_FoundationCollections",
        "_FoundationICU",
    ].map { .linkedLibrary($0) }

// This package needs nothing but the toolchain. The examples beside this file are separate packages, because they
// use no traits or need more.
let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "LayeredPrefs", path: "..", traits: [.defaults, "ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "SystemdDaemon",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsInspection", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsReference", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsService", package: "LayeredPrefs"),
            ],
            swiftSettings: settings, linkerSettings: staticLibraries),
        .executableTarget(
            name: "StructsInASchema",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsLogging", package: "LayeredPrefs"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["demo"], swiftSettings: settings),
        .executableTarget(
            name: "SimultaneousSaves",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsCommands", package: "LayeredPrefs"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["demo"], swiftSettings: settings),
    ]
)
