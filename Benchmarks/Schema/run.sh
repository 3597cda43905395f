#!/bin/sh
# Measures @Pref reads against a plain @Observable property, optimised, without building swift-syntax in
# release: the macro tool comes from a debug build, and the library is built with its trait's condition set.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out="$here/.build"
mkdir -p "$out"
tool=$(find "$root/.build" -path '*debug*' -name 'LayeredPrefsMacros-tool' -type f | head -n 1)
[ -n "$tool" ] || { echo "run 'swift build' in $root first: the macro tool is missing" >&2; exit 1; }
swift build --package-path "$root" --scratch-path "$out/library" -c release --disable-default-traits \
    --traits UserDefaults --target LayeredPrefs -Xswiftc -DMacros \
    -Xswiftc -load-plugin-executable -Xswiftc "$tool#LayeredPrefsMacros"
built="$out/library/release"
clang -O2 -c "$here/Sources/allocations.c" -o "$out/allocations.o"
swiftc -O -wmo -swift-version 6 -strict-memory-safety -module-name SchemaBenchmark \
    -enable-upcoming-feature ExistentialAny \
    -import-objc-header "$here/Sources/allocations.h" "$out/allocations.o" \
    -I "$built/Modules" -Xcc "-fmodule-map-file=$built/CFileWatching.build/module.modulemap" \
    -load-plugin-executable "$tool#LayeredPrefsMacros" \
    "$here"/Sources/*.swift \
    "$built"/LayeredPrefs.build/*.o "$built"/FileWatching.build/*.o "$built"/CFileWatching.build/*.o \
    -o "$out/SchemaBenchmark"
"$out/SchemaBenchmark"
