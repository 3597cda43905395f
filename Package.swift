// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// The settings of the modules that do most of what the tests do. Scripts/environment has tests run against optimized ones,
/// which takes 0.6 of the time. No other build has the flag, because a package that has it cannot be a dependency.
let engineSettings =
    Context.environment["LAYEREDPREFS_OPTIMIZED_TESTS"] == nil
    ? settings : settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The core, and the targets whose declarations its interface has. SwiftPM compiles a program again only if a module that
/// a product lists has changed; what comes through another one would be read with its former layout. So every product
/// lists what it exports again, which Scripts/check-dependents checks.
let core = ["LayeredPrefs", "PrefsDocuments", "PrefsFiles", "FileWatching"]

let package = Package(
    name: "LayeredPrefs",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "LayeredPrefs", targets: core),
        .library(name: "FileWatching", targets: ["FileWatching"]),
        .library(name: "PrefsDocuments", targets: ["PrefsDocuments"]),
        .library(name: "LayeredPrefsTesting", targets: ["LayeredPrefsTesting"]),
        .library(name: "LayeredPrefsCommands", targets: ["LayeredPrefsCommands"]),
        .library(name: "LayeredPrefsCompression", targets: ["LayeredPrefsCompression"]),
        .library(name: "LayeredPrefsOpenCombine", targets: ["LayeredPrefsOpenCombine"]),
        .library(name: "LayeredPrefsLogging", targets: ["LayeredPrefsLogging"]),
        .library(
            name: "PrefsKitCompatibility",
            targets: ["PrefsKitCompatibility", "LayeredPrefsCompression"] + core),
        .library(name: "FoilCompatibility", targets: ["FoilCompatibility"] + core),
        .library(name: "LayeredPrefsService", targets: ["LayeredPrefsService"]),
        .library(name: "LayeredPrefsMetrics", targets: ["LayeredPrefsMetrics"]),
        .library(name: "LayeredPrefsInspection", targets: ["LayeredPrefsInspection"]),
        .library(name: "LayeredPrefsConfiguration", targets: ["LayeredPrefsConfiguration"]),
        .library(name: "LayeredPrefsEtcd", targets: ["LayeredPrefsEtcd"]),
        .library(
            name: "PersistentKeyValueKitCompatibility",
            targets: ["PersistentKeyValueKitCompatibility"] + core),
        .executable(name: "prefs", targets: ["prefs"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "@PrefsSchema and @Pref. Off: swift-syntax is neither fetched nor built."
        ),
        .trait(
            name: "UserDefaults",
            description: "UserDefaults as a storage, which needs the whole of Foundation."
        ),
        .trait(
            name: "InotifyTools",
            description: "The libinotifytools engine (GPL-2, from libinotifytools-dev) beside the kernel's."
        ),
        .trait(
            name: "Compression",
            description: "zlib, lzma and lz4 in LayeredPrefsCompression, through the system's libraries."
        ),
        .trait(
            name: "OpenCombine",
            description: "Publishers, in LayeredPrefsOpenCombine. Off: OpenCombine is not even fetched."
        ),
        .trait(
            name: "Configuration",
            description: "LayeredPrefsConfiguration, for swift-configuration. Off: it is not even fetched."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "PrefsService, for swift-service-lifecycle. Off: it is not even fetched."
        ),
        .trait(
            name: "Etcd",
            description: "LayeredPrefsEtcd, a layer shared by many machines, through the system's libcurl."
        ),
        .trait(
            name: "Metrics",
            description: "PrefsMetrics, for swift-metrics. Off: it is not even fetched."
        ),
        .trait(
            name: "YAML",
            description: "YAML files, with the parser of the system's libyaml."
        ),
        .default(enabledTraits: ["Macros", "UserDefaults"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    ],
    targets: [
        .systemLibrary(name: "CInotifyTools"),
        .systemLibrary(name: "CCompression"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CLibYAML"),
        .target(name: "CPrefsSystem"),
        .target(name: "PrefsSystem", dependencies: ["CPrefsSystem"], swiftSettings: engineSettings),
        .target(
            name: "FileWatching",
            dependencies: [
                "PrefsSystem",
                "CPrefsSystem",
                .target(name: "CInotifyTools", condition: .when(traits: ["InotifyTools"])),
            ],
            swiftSettings: engineSettings
        ),
        .target(
            name: "PrefsDocuments",
            dependencies: [
                "PrefsSystem", .target(name: "CLibYAML", condition: .when(traits: ["YAML"])),
            ],
            swiftSettings: engineSettings
        ),
        .target(
            name: "PrefsFiles",
            dependencies: ["PrefsDocuments", "FileWatching", "PrefsSystem", "CPrefsSystem"],
            swiftSettings: engineSettings
        ),
        .target(
            name: "LayeredPrefs",
            dependencies: [
                "PrefsDocuments",
                "PrefsFiles",
                "FileWatching",
                "PrefsSystem",
                "CPrefsSystem",
                .target(name: "LayeredPrefsMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: engineSettings
        ),
        .macro(
            name: "LayeredPrefsMacros",
            dependencies: [
                .product(
                    name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])
                ),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsTesting",
            dependencies: ["LayeredPrefs", "FileWatching", "PrefsSystem"],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsCommands",
            dependencies: [
                "LayeredPrefs",
                "LayeredPrefsInspection",
                "FileWatching",
                "PrefsSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .target(name: "LayeredPrefsEtcd", condition: .when(traits: ["Etcd"])),
            ],
            resources: [.embedInCode("UI/Page")],
            swiftSettings: engineSettings
        ),
        .target(
            name: "LayeredPrefsCompression",
            dependencies: [
                "LayeredPrefs", .target(name: "CCompression", condition: .when(traits: ["Compression"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsOpenCombine",
            dependencies: [
                "LayeredPrefs",
                "PrefsSystem",
                .product(
                    name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsLogging",
            dependencies: ["LayeredPrefs", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsInspection", dependencies: ["LayeredPrefs", "PrefsSystem", "CPrefsSystem"],
            swiftSettings: settings),
        .target(
            name: "LayeredPrefsConfiguration",
            dependencies: [
                "LayeredPrefs",
                "PrefsSystem",
                .product(
                    name: "Configuration", package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsEtcd",
            dependencies: [
                "LayeredPrefs", "PrefsDocuments", "PrefsFiles", "PrefsSystem",
                .target(name: "CCurl", condition: .when(traits: ["Etcd"])),
            ],
            swiftSettings: settings
        ),
        // Not named like the upstream modules: SwiftPM rejects two targets of one name in a package graph.
        .target(
            name: "PrefsKitCompatibility",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsCompression", "PrefsDocuments", "PrefsSystem",
                .target(name: "LayeredPrefsMacros", condition: .when(traits: ["Macros"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "FoilCompatibility",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsOpenCombine", "PrefsDocuments", "PrefsSystem",
                .product(
                    name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsService",
            dependencies: [
                "PrefsSystem",
                "LayeredPrefs",
                "LayeredPrefsInspection",
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "UnixSignals", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "LayeredPrefsMetrics",
            dependencies: [
                "PrefsSystem",
                "LayeredPrefs",
                .product(
                    name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PersistentKeyValueKitCompatibility",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsOpenCombine", "PrefsDocuments", "PrefsSystem",
                .product(
                    name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: settings),
        .executableTarget(name: "prefs", dependencies: ["LayeredPrefsCommands"], swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["LayeredPrefs", "PrefsDocuments", "PrefsSystem"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "PrefsReferenceModel",
            dependencies: ["LayeredPrefs", "LayeredPrefsTesting", "FileWatching", "PrefsSystem"],
            path: "Tests/PrefsReferenceModel",
            swiftSettings: engineSettings
        ),
        .executableTarget(
            name: "soak", dependencies: ["PrefsReferenceModel"], path: "Tests/Soak", swiftSettings: settings),
        .executableTarget(
            name: "EmbeddingProgram",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsCommands",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/EmbeddingProgram", swiftSettings: settings),
        .executableTarget(
            name: "PrefsFuzzing",
            dependencies: ["LayeredPrefs", "LayeredPrefsCompression", "PrefsDocuments"],
            path: "Fuzz", exclude: ["corpus"], swiftSettings: settings),
        .testTarget(
            name: "PrefsSystemTests", dependencies: ["PrefsSystem", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "FileWatchingTests",
            dependencies: ["FileWatching", "PrefsSystem", "TestSupport"],
            exclude: ["Scenarios"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrefsDocumentsTests",
            dependencies: ["PrefsDocuments", "PrefsSystem", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrefsFilesTests",
            dependencies: ["PrefsFiles", "PrefsDocuments", "FileWatching", "PrefsSystem", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsTests",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsTesting", "FileWatching", "PrefsDocuments", "PrefsFiles",
                "PrefsSystem", "TestSupport", "PrefsReferenceModel",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsTestingTests",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsTesting", "FileWatching", "PrefsSystem", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsCompressionTests", dependencies: ["LayeredPrefsCompression"],
            swiftSettings: settings),
        .testTarget(
            name: "LayeredPrefsOpenCombineTests",
            dependencies: [
                "LayeredPrefsOpenCombine",
                "LayeredPrefs",
                "LayeredPrefsTesting",
                "PrefsSystem",
                .product(
                    name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsLoggingTests",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsLogging", "LayeredPrefsTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsInspectionTests",
            dependencies: ["LayeredPrefsInspection", "LayeredPrefs", "LayeredPrefsTesting", "PrefsSystem"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsConfigurationTests",
            dependencies: [
                "LayeredPrefsConfiguration", "LayeredPrefs", "LayeredPrefsTesting",
                .product(
                    name: "Configuration", package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])),
                .product(
                    name: "ConfigurationTesting", package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsEtcdTests",
            dependencies: [
                "LayeredPrefsEtcd", "LayeredPrefs", "LayeredPrefsTesting", "PrefsDocuments", "PrefsSystem",
                "TestSupport", "prefs",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrefsKitCompatibilityTests",
            dependencies: ["PrefsKitCompatibility", "LayeredPrefs", "PrefsSystem", "TestSupport"],
            exclude: ["Checks"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FoilCompatibilityTests",
            dependencies: ["FoilCompatibility", "LayeredPrefs", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsServiceTests",
            dependencies: [
                "LayeredPrefsService", "LayeredPrefs", "LayeredPrefsInspection", "LayeredPrefsTesting",
                "PrefsSystem", "TestSupport",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsMetricsTests",
            dependencies: [
                "LayeredPrefsMetrics", "LayeredPrefs", "LayeredPrefsTesting",
                .product(
                    name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(
                    name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PersistentKeyValueKitCompatibilityTests",
            dependencies: [
                "PersistentKeyValueKitCompatibility", "LayeredPrefs", "PrefsDocuments", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PrefsCommandTests",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsCommands", "LayeredPrefsInspection", "LayeredPrefsTesting",
                "TestSupport", "prefs", "EmbeddingProgram",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LayeredPrefsMacrosTests",
            dependencies: ["LayeredPrefs", "PrefsKitCompatibility", "TestSupport"],
            swiftSettings: settings
        ),
    ]
)
