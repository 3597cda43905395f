// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "WholeConfiguration",
    dependencies: [.package(name: "LayeredPrefs", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "relay",
            dependencies: [
                .product(name: "LayeredPrefs", package: "LayeredPrefs"),
                .product(name: "LayeredPrefsReference", package: "LayeredPrefs"),
            ])
    ]
)
