// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "relay",
    dependencies: [
        .package(url: "https://github.com/layeredprefs/LayeredPrefs", from: "0.1.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "relay",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsLogging", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsService", package: "LayeredPrefs"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "relayTests",
            dependencies: ["relay", .product(name: "LayeredPrefsTesting", package: "LayeredPrefs")]),
    ]
)
