// swift-tools-version: 6.3

// This is a separate package, so that the peers do not become dependencies of the library. The measured code is
// here, outside the library's module and package, as in any program.

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    traits: [
        .trait(
            name: "Macros",
            description:
                "Adds rows of @Pref. Scripts/bench enables them without building swift-syntax for release."
        ),
        .trait(name: "YAML", description: "Adds shapes of YAML to Scripts/check complexity."),
        .trait(name: "Configuration", description: "Adds apple/swift-configuration as a peer."),
        .default(enabledTraits: ["Configuration"]),
    ],
    dependencies: [
        .package(
            name: "LayeredPrefs", path: "..",
            traits: [
                .trait(name: "Macros", condition: .when(traits: ["Macros"])),
                .trait(name: "YAML", condition: .when(traits: ["YAML"])),
            ]),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: [
                .trait(name: "PropertyList", condition: .when(traits: ["Configuration"])),
                .trait(name: "Reloading", condition: .when(traits: ["Configuration"])),
            ]),
    ],
    targets: [
        .target(name: "CMeasuring"),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CMeasuring",
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsInspection", package: "LayeredPrefs"),
                .product(name: "FileWatching", package: "LayeredPrefs"),
                .product(name: "PrefsDocuments", package: "LayeredPrefs"),
                .product(name: "PrefsKitCompatibility", package: "LayeredPrefs"),
            ],
            swiftSettings: settings),
        .executableTarget(name: "StartEmpty", swiftSettings: settings),
        .executableTarget(
            name: "StartPrefs",
            dependencies: [.product(name: "LayeredPrefs", package: "LayeredPrefs")],
            swiftSettings: settings),
        .executableTarget(
            name: "PeerConfiguration",
            dependencies: [
                "CMeasuring",
                .product(
                    name: "Configuration", package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])),
            ],
            swiftSettings: settings),
    ]
)
