// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

/// The settings of every Swift target.
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

/// The core, and the targets whose declarations are part of its interface. SwiftPM recompiles a program only if a
/// module that a product lists has changed. The program would read types from other modules with their old layout.
/// So every product lists the targets that it re-exports, and Scripts/check dependents checks that.
let core = ["LayeredPrefs", "PrefsDocuments", "PrefsFiles", "FileWatching"]

/// The dependencies of most tests.
let kit: [Target.Dependency] = [
    "LayeredPrefs", "LayeredPrefsTesting", "FileWatching", "PrefsDocuments", "PrefsSystem", "TestSupport",
]

// Products of other packages. SwiftPM fetches a package only if an enabled trait needs it.
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let swiftSyntaxMacros = product("SwiftSyntaxMacros", of: "swift-syntax", with: "Macros")
let swiftCompilerPlugin = product("SwiftCompilerPlugin", of: "swift-syntax", with: "Macros")
let openCombine = product("OpenCombine", of: "OpenCombine", with: "OpenCombine")
let configuration = product("Configuration", of: "swift-configuration", with: "Configuration")
let configurationTesting = product("ConfigurationTesting", of: "swift-configuration", with: "Configuration")
let serviceLogging = product("Logging", of: "swift-log", with: "ServiceLifecycle")
let serviceLifecycle = product("ServiceLifecycle", of: "swift-service-lifecycle", with: "ServiceLifecycle")
let lifecycleTestKit = product(
    "ServiceLifecycleTestKit", of: "swift-service-lifecycle", with: "ServiceLifecycle")
let unixSignals = product("UnixSignals", of: "swift-service-lifecycle", with: "ServiceLifecycle")
let coreMetrics = product("CoreMetrics", of: "swift-metrics", with: "Metrics")
let metricsTestKit = product("MetricsTestKit", of: "swift-metrics", with: "Metrics")

/// The dependencies of two of the compatibility modules.
let compatibility: [Target.Dependency] = [
    "LayeredPrefs", "LayeredPrefsOpenCombine", "LayeredPrefsUserDefaults", "PrefsDocuments", "PrefsSystem",
    openCombine,
]

/// Returns a dependency on another package's product, for builds with a trait.
func product(_ name: String, of package: String, with trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

/// Returns a dependency on a target of this package, for builds with a trait.
func target(_ name: String, with trait: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: [trait]))
}

let package = Package(
    name: "LayeredPrefs",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "LayeredPrefs", targets: core),
        .library(
            name: "PrefsKitCompatibility",
            targets: ["PrefsKitCompatibility", "LayeredPrefsCompression", "LayeredPrefsUserDefaults"] + core),
        .executable(name: "prefs", targets: ["prefs"]),
    ]
        + ["PersistentKeyValueKitCompatibility", "FoilCompatibility"].map {
            .library(name: $0, targets: [$0, "LayeredPrefsUserDefaults"] + core)
        }
        + [
            "FileWatching", "PrefsDocuments", "LayeredPrefsTesting", "LayeredPrefsCommands",
            "LayeredPrefsCompression", "LayeredPrefsOpenCombine", "LayeredPrefsLogging",
            "LayeredPrefsService", "LayeredPrefsMetrics", "LayeredPrefsInspection",
            "LayeredPrefsConfiguration", "LayeredPrefsEtcd", "LayeredPrefsUserDefaults",
            "LayeredPrefsReference",
        ].map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "Macros", description: "@PrefsSchema and @Pref; needs swift-syntax."),
        .trait(name: "InotifyTools", description: "The libinotifytools engine (GPL-2) beside the kernel's."),
        .trait(name: "Compression", description: "zlib, lzma and lz4; needs the system's libraries."),
        .trait(name: "OpenCombine", description: "Publishers, for OpenCombine."),
        .trait(name: "Configuration", description: "A provider for swift-configuration."),
        .trait(name: "ServiceLifecycle", description: "PrefsService, for swift-service-lifecycle."),
        .trait(name: "Etcd", description: "A layer that many machines share; needs libcurl."),
        .trait(name: "Metrics", description: "PrefsMetrics, for swift-metrics."),
        .trait(name: "YAML", description: "Files in YAML; needs libyaml."),
        .default(enabledTraits: ["Macros"]),
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
        .target(name: "PrefsSystem", dependencies: ["CPrefsSystem"]),
        .target(
            name: "FileWatching",
            dependencies: ["PrefsSystem", "CPrefsSystem", target("CInotifyTools", with: "InotifyTools")]),
        .target(name: "PrefsDocuments", dependencies: ["PrefsSystem", target("CLibYAML", with: "YAML")]),
        .target(
            name: "PrefsFiles",
            dependencies: ["PrefsDocuments", "FileWatching", "PrefsSystem", "CPrefsSystem"]),
        .target(
            name: "LayeredPrefs",
            dependencies: [
                "PrefsDocuments", "PrefsFiles", "FileWatching", "PrefsSystem", "CPrefsSystem",
                target("LayeredPrefsMacros", with: "Macros"),
            ]),
        .macro(name: "LayeredPrefsMacros", dependencies: [swiftSyntaxMacros, swiftCompilerPlugin]),
        .target(name: "LayeredPrefsTesting", dependencies: ["LayeredPrefs", "FileWatching", "PrefsSystem"]),
        .target(
            name: "LayeredPrefsCommands",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsInspection", "LayeredPrefsReference", "FileWatching",
                "PrefsSystem", argumentParser, target("LayeredPrefsEtcd", with: "Etcd"),
            ],
            resources: [.embedInCode("UI/Page")]),
        .target(
            name: "LayeredPrefsCompression",
            dependencies: ["LayeredPrefs", target("CCompression", with: "Compression")]),
        .target(
            name: "LayeredPrefsOpenCombine", dependencies: ["LayeredPrefs", "PrefsSystem", openCombine]),
        .target(name: "LayeredPrefsLogging", dependencies: ["LayeredPrefs", logging]),
        .target(
            name: "LayeredPrefsInspection", dependencies: ["LayeredPrefs", "PrefsSystem", "CPrefsSystem"]),
        .target(
            name: "LayeredPrefsConfiguration", dependencies: ["LayeredPrefs", "PrefsSystem", configuration]),
        .target(
            name: "LayeredPrefsEtcd",
            dependencies: [
                "LayeredPrefs", "PrefsDocuments", "PrefsFiles", "PrefsSystem", target("CCurl", with: "Etcd"),
            ]),
        .target(
            name: "LayeredPrefsService",
            dependencies: [
                "PrefsSystem", "LayeredPrefs", "LayeredPrefsInspection", serviceLogging, serviceLifecycle,
                unixSignals,
            ]),
        .target(name: "LayeredPrefsReference", dependencies: ["LayeredPrefs", "PrefsDocuments"]),
        .target(
            name: "LayeredPrefsUserDefaults", dependencies: ["LayeredPrefs", "PrefsDocuments", "PrefsSystem"]),
        .target(name: "LayeredPrefsMetrics", dependencies: ["PrefsSystem", "LayeredPrefs", coreMetrics]),
        // They cannot have upstream's names: SwiftPM rejects two targets of one name in a package graph.
        .target(
            name: "PrefsKitCompatibility",
            dependencies: [
                "LayeredPrefs", "LayeredPrefsCompression", "LayeredPrefsUserDefaults", "PrefsDocuments",
                "PrefsSystem", target("LayeredPrefsMacros", with: "Macros"),
            ]),
        .target(name: "FoilCompatibility", dependencies: compatibility),
        .target(name: "PersistentKeyValueKitCompatibility", dependencies: compatibility),
        .executableTarget(name: "prefs", dependencies: ["LayeredPrefsCommands"]),

        // Targets that only tests need.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CTestSupport", "LayeredPrefs", "PrefsDocuments", "PrefsSystem"],
            path: "Tests/TestSupport"),
        .target(
            name: "PrefsReferenceModel",
            dependencies: ["LayeredPrefs", "LayeredPrefsTesting", "FileWatching", "PrefsSystem"],
            path: "Tests/PrefsReferenceModel"),
        .executableTarget(name: "soak", dependencies: ["PrefsReferenceModel"], path: "Tests/Soak"),
        .executableTarget(
            name: "EmbeddingProgram", dependencies: ["LayeredPrefs", "LayeredPrefsCommands", argumentParser],
            path: "Tests/EmbeddingProgram"),
        .executableTarget(
            name: "PrefsFuzzing",
            dependencies: ["LayeredPrefs", "LayeredPrefsCompression", "PrefsDocuments"],
            path: "Fuzz", exclude: ["corpus"]),
        .testTarget(name: "PrefsSystemTests", dependencies: ["PrefsSystem", "TestSupport"]),
        .testTarget(
            name: "FileWatchingTests", dependencies: ["FileWatching", "PrefsSystem", "TestSupport"],
            exclude: ["Scenarios"]),
        .testTarget(
            name: "PrefsDocumentsTests", dependencies: ["PrefsDocuments", "PrefsSystem", "TestSupport"]),
        .testTarget(
            name: "PrefsFilesTests",
            dependencies: ["PrefsFiles", "PrefsDocuments", "FileWatching", "PrefsSystem", "TestSupport"]),
        .testTarget(
            name: "LayeredPrefsTests",
            dependencies: kit + [
                "LayeredPrefsReference", "LayeredPrefsUserDefaults", "PrefsFiles", "PrefsReferenceModel",
            ]),
        .testTarget(name: "LayeredPrefsTestingTests", dependencies: kit + ["LayeredPrefsUserDefaults"]),
        .testTarget(name: "LayeredPrefsUserDefaultsTests", dependencies: kit + ["LayeredPrefsUserDefaults"]),
        .testTarget(name: "LayeredPrefsMacrosTests", dependencies: kit + ["PrefsKitCompatibility"]),
        .testTarget(name: "LayeredPrefsCompressionTests", dependencies: kit + ["LayeredPrefsCompression"]),
        .testTarget(
            name: "LayeredPrefsOpenCombineTests",
            dependencies: kit + ["LayeredPrefsOpenCombine", openCombine]),
        .testTarget(
            name: "LayeredPrefsLoggingTests",
            dependencies: kit + ["LayeredPrefsLogging", logging, inMemoryLogging]),
        .testTarget(name: "LayeredPrefsInspectionTests", dependencies: kit + ["LayeredPrefsInspection"]),
        .testTarget(
            name: "LayeredPrefsConfigurationTests",
            dependencies: kit + ["LayeredPrefsConfiguration", configuration, configurationTesting]),
        .testTarget(name: "LayeredPrefsEtcdTests", dependencies: kit + ["LayeredPrefsEtcd", "prefs"]),
        .testTarget(
            name: "LayeredPrefsServiceTests",
            dependencies: kit + [
                "LayeredPrefsService", "LayeredPrefsInspection", logging, inMemoryLogging, serviceLifecycle,
                lifecycleTestKit,
            ]),
        .testTarget(
            name: "LayeredPrefsMetricsTests",
            dependencies: kit + ["LayeredPrefsMetrics", coreMetrics, metricsTestKit]),
        .testTarget(
            name: "PrefsKitCompatibilityTests", dependencies: kit + ["PrefsKitCompatibility"],
            exclude: ["Checks"]),
        .testTarget(
            name: "PersistentKeyValueKitCompatibilityTests",
            dependencies: kit + ["PersistentKeyValueKitCompatibility"]),
        .testTarget(name: "FoilCompatibilityTests", dependencies: kit + ["FoilCompatibility"]),
        .testTarget(
            name: "PrefsCommandTests",
            dependencies: kit + [
                "LayeredPrefsCommands", "LayeredPrefsInspection", "LayeredPrefsReference", "prefs",
                "EmbeddingProgram",
            ]),
    ]
)

/// The modules that do most of the work in tests. Scripts/test optimizes them, so that the tests take 0.6 of
/// the time. No other build sets the flag, because a package with unsafe flags cannot be a dependency.
let engine = core + ["PrefsSystem", "LayeredPrefsCommands", "PrefsReferenceModel"]
let optimizesEngine = Context.environment["LAYEREDPREFS_OPTIMIZED_TESTS"] != nil

for target in package.targets
where target.type != .system && !["CPrefsSystem", "CTestSupport"].contains(target.name) {
    target.swiftSettings = settings
    if optimizesEngine && engine.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}
