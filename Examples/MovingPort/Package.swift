// swift-tools-version: 6.3

import PackageDescription

// This is a separate package, so that the other examples do not fetch Hummingbird.
let package = Package(
    name: "MovingPort",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "LayeredPrefs", path: "../..", traits: ["ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "MovingPort",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsLogging", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsService", package: "LayeredPrefs"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
