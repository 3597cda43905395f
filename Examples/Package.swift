// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v26)],
    dependencies: [
        // The examples need the traits InotifyTools and Etcd; with all of them, the packages are those of the tests.
        .package(
            name: "LayeredPrefs", path: "..",
            traits: [
                .defaults, "InotifyTools", "Compression", "OpenCombine", "Configuration", "ServiceLifecycle",
                "Etcd", "Metrics", "YAML",
            ]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "LiveReloadDaemon",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsInspection", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsService", package: "LayeredPrefs"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FleetDaemon",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsEtcd", package: "LayeredPrefs"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "LiveReloadDemo", swiftSettings: settings),
        .executableTarget(
            name: "RelayConfiguration",
            dependencies: [.product(name: "LayeredPrefs", package: "LayeredPrefs")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "MailRelay",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsLogging", package: "LayeredPrefs"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Notes",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsCommands", package: "LayeredPrefs"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Quickstart",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsInspection", package: "LayeredPrefs"),
            ],
            swiftSettings: settings
        ),
    ]
)
