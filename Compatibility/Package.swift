// swift-tools-version: 6.3

import PackageDescription

// The modules that users of three well-known libraries import, so that their source compiles unchanged on
// Linux. This is a separate package because a package graph that also contains the originals does not
// resolve.

let layeredPrefs = Target.Dependency.product(name: "LayeredPrefs", package: "LayeredPrefs")

let package = Package(
    name: "LayeredPrefsCompatibility",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "PersistentKeyValueKit", targets: ["PersistentKeyValueKit"]),
        .library(name: "Foil", targets: ["Foil"]),
        .library(name: "PrefsKit", targets: ["PrefsKit"]),
    ],
    traits: [
        .trait(name: "Macros", description: "@PrefsSchema and @Pref for PrefsKit."),
        .trait(name: "Compression", description: "zlib, lzma and lz4 for .compressedData(algorithm:)."),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(
            name: "LayeredPrefs",
            path: "..",
            traits: [
                .trait(name: "UserDefaults"),
                .trait(name: "Macros", condition: .when(traits: ["Macros"])),
                .trait(name: "Compression", condition: .when(traits: ["Compression"])),
            ]
        )
    ],
    targets: [
        .target(
            name: "PersistentKeyValueKit",
            dependencies: [.product(name: "PersistentKeyValueKitCompatibility", package: "LayeredPrefs")]),
        .target(name: "Foil", dependencies: [layeredPrefs]),
        .target(name: "PrefsKit", dependencies: [layeredPrefs]),
        .testTarget(
            name: "CompatibilityTests",
            dependencies: ["PersistentKeyValueKit", "Foil", "PrefsKit"],
            exclude: ["Checks"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
