#!/usr/bin/env python3
"""Checks that the folders of Sources/LayeredPrefs depend on each other in one direction only.

A file depends on the files that declare the types it mentions outside comments and strings. A folder depends on another
if one of its files does. Prints every mention against the order below, and fails if there is one.

    usage: Scripts/check direction [SOURCES]
"""
import pathlib
import re
import sys

# From the lowest folder to the highest; a folder mentions only itself and those before it.
ORDER = [
    "Diagnostics", "Codings", "Keys", "Changes", "Storage", "Streams", "Environment", "Files", "Layers",
    "Schema", "Live", "Explaining",
]

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|#"""[\s\S]*?"""#|"""[\s\S]*?"""|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"', re.S)
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|final|indirect|nonisolated) )*"
    r"(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)
WORD = re.compile(r"\b[A-Z]\w*")


def read(root):
    """Returns for each file the types it declares for other files, and the names it mentions."""
    declared, mentioned = {}, {}
    for path in sorted(root.rglob("*.swift")):
        if ".docc/" in str(path):   # A listing of the documentation.
            continue
        code = NOISE.sub(" ", path.read_text())
        name = str(path.relative_to(root))
        mentioned[name] = set(WORD.findall(code))
        for type_name in DECLARATION.findall(code):
            declared.setdefault(type_name, name)
    return declared, mentioned


def folder(file):
    return file.split("/")[0]


def main():
    default = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/LayeredPrefs"
    declared, mentioned = read(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default)
    place = {name: number for number, name in enumerate(ORDER)}
    if unknown := {folder(file) for file in mentioned if "/" in file} - place.keys():
        sys.exit(f"folders without a place in the order: {', '.join(sorted(unknown))}")
    wrong = [(file, declared[name], name) for file, names in mentioned.items() for name in sorted(names & declared.keys())
             if place.get(folder(declared[name]), -1) > place.get(folder(file), len(ORDER))]
    for file, other, name in wrong:
        print(f"{folder(file)} -> {folder(other)}: {file} mentions {name} of {other}")
    print(f"{len(mentioned)} files, {len(ORDER)} folders; {len(wrong)} mentions against the order")
    sys.exit(bool(wrong))


main()
