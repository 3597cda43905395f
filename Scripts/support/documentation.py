#!/usr/bin/env python3
"""Fails if a public declaration of a product is not documented or a public type is not curated.

usage: Scripts/check documentation [--list]   after `swift build` with the traits of Scripts/test

Reads the symbol graphs that the compiler extracts from the built modules. Witnesses of protocol requirements
inherit the requirement's documentation; synthesized members are skipped. A type is curated if a page of its module's
catalogue lists it below `## Topics`.
"""
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import symbols

root = symbols.root


def inspect(module, folder):
    """Returns the undocumented symbols and the top-level types of a module."""
    undocumented, types, total = [], [], 0
    for stem, graph in symbols.graphs(module, folder):
        inherits = {r["source"] for r in graph["relationships"]
                    if r["kind"] in ("defaultImplementationOf", "overrides") or "sourceOrigin" in r}
        for symbol in graph["symbols"]:
            kind, names = symbol["kind"]["identifier"], symbol["pathComponents"]
            if symbols.is_hidden(symbol) or kind in ("swift.extension", "module") or not symbols.is_own(symbol):
                continue
            total += 1
            if kind in symbols.TYPE_KINDS and len(names) == 1 and "@" not in stem:
                types.append(names[0])
            if "docComment" not in symbol and symbol["identifier"]["precise"] not in inherits:
                line = symbol["location"]["position"]["line"] + 1
                place = symbol["location"]["uri"].removeprefix(f"file://{root}/")
                undocumented.append(f"{place}:{line}: {'.'.join(names)}")
    return undocumented, types, total


def curated(module):
    """Returns the names of the symbols that the module's catalogue lists below `## Topics`."""
    names = set()
    for page in (root / "Sources" / module / f"{module}.docc").rglob("*.md"):
        topics = page.read_text().partition("\n## Topics\n")[2]
        names |= {name.split("/")[-1].split("(")[0].split("-")[0] for name in re.findall(r"^- ``([^`]+)``", topics, re.M)}
    return names


failed = False
for module in symbols.built():
    with tempfile.TemporaryDirectory() as folder:
        symbols.extract(module, folder)
        undocumented, types, total = inspect(module, folder)
    types = {name.split("(")[0] for name in types}
    loose = types - curated(module)
    print(f"{module}: {total} public declarations, {len(undocumented)} undocumented, "
          f"{len(types)} top-level types, {len(loose)} not curated")
    if "--list" in sys.argv:
        print("\n".join("    " + place for place in sorted(undocumented)))
        print("    types: " + ", ".join(sorted(types)))
    if loose:
        print("    not curated: " + ", ".join(sorted(loose)))
    failed = failed or bool(undocumented or loose)
sys.exit(failed)
