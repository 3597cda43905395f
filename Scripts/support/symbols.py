"""The symbol graphs of the built modules."""
import json
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent.parent
build = root / ".build/debug"

# From the lowest to the highest: each may link to those before it.
MODULES = [
    "PrefsDocuments", "PrefsFiles", "FileWatching", "LayeredPrefs", "LayeredPrefsTesting", "LayeredPrefsInspection",
    "LayeredPrefsReference", "LayeredPrefsUserDefaults", "LayeredPrefsCommands", "LayeredPrefsCompression",
    "LayeredPrefsLogging", "LayeredPrefsOpenCombine", "LayeredPrefsService", "LayeredPrefsMetrics",
    "LayeredPrefsConfiguration", "LayeredPrefsEtcd",
    "PrefsKitCompatibility", "PersistentKeyValueKitCompatibility", "FoilCompatibility",
]
TYPE_KINDS = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias", "swift.macro"}


def built():
    """The modules that the last build contains; those behind a trait may be absent."""
    return [module for module in MODULES if (build / "Modules" / f"{module}.swiftmodule").exists()]


def extract(module, folder):
    """Writes the symbol graphs of a module's public declarations into a folder."""
    maps = [build / "CPrefsSystem.build/module.modulemap", build / "COpenCombineHelpers.build/module.modulemap"]
    maps += list((root / "Sources").glob("*/module.modulemap"))
    maps += list((root / ".build/checkouts").glob("*/Sources/C*/include/module.modulemap"))
    arguments = ["swift", "symbolgraph-extract", "-module-name", module, "-I", build / "Modules",
                 "-target", "x86_64-unknown-linux-gnu", "-minimum-access-level", "public",
                 "-skip-synthesized-members", "-skip-inherited-docs", "-output-dir", folder]
    for path in filter(pathlib.Path.exists, maps):
        arguments += ["-Xcc", f"-fmodule-map-file={path}"]
    subprocess.run(arguments, check=True, capture_output=True)


def graphs(module, folder):
    """Yields the symbol graphs of a module, after `extract`, each with its file's name without extension."""
    for path in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
        yield path.stem, json.loads(path.read_text())


def is_hidden(symbol):
    """True for declarations that only expansions of the macros use."""
    return any(name.startswith("_") or name == "PrefsExpansion" for name in symbol["pathComponents"])


def is_own(symbol):
    return "/Sources/" in symbol.get("location", {}).get("uri", "")
