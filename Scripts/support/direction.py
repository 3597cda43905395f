#!/usr/bin/env python3
"""Checks that the folders of Sources/LayeredPrefs depend on each other in one direction only.

A file depends on the files that declare the types it mentions outside comments and strings. A folder
depends on another if one of its files does. Prints every mention against the order below, every cycle of
folders and the largest cycle of files; fails if there is a cycle of folders.

    usage: Scripts/check direction [--edges] [SOURCES]

--edges also prints, for every pair of folders, how many files of the first mention the second.
"""
import collections
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


def edges_between_files(declared, mentioned):
    """Returns for each file the files it depends on, each with the types it mentions there."""
    edges = {}
    for file, names in mentioned.items():
        edges[file] = collections.defaultdict(set)
        for name in names & declared.keys():
            if declared[name] != file:
                edges[file][declared[name]].add(name)
    return edges


def folder(file):
    return file.split("/")[0] if "/" in file else ""


def cycles(edges):
    """Returns the strongly connected components of more than one node, the largest first (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for next_node in edges.get(node, ()):
            if next_node not in number:
                visit(next_node)
                low[node] = min(low[node], low[next_node])
            elif next_node in stack:
                low[node] = min(low[node], number[next_node])
        if low[node] == number[node]:
            place = stack.index(node)
            found.append(sorted(stack[place:]))
            del stack[place:]

    for node in edges:
        if node not in number:
            visit(node)
    return sorted((part for part in found if len(part) > 1), key=len, reverse=True)


def main(arguments):
    show_edges = "--edges" in arguments
    rest = [argument for argument in arguments if argument != "--edges"]
    root = pathlib.Path(rest[0]) if rest else pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/LayeredPrefs"
    sys.setrecursionlimit(10_000)
    files = edges_between_files(*read(root))
    folders = {folder(file): collections.Counter() for file in files if folder(file)}
    back = 0
    for file, targets in files.items():
        for target, names in sorted(targets.items()):
            here, there = folder(file), folder(target)
            if here == there or not here or not there:
                continue
            folders[here][there] += 1
            if ORDER.index(there) > ORDER.index(here):
                back += 1
                print(f"{here} -> {there}: {file} mentions {', '.join(sorted(names))} of {target}")
    if show_edges:
        for here in sorted(folders, key=ORDER.index):
            print(here, "->", dict(folders[here].most_common()))
    folder_cycles, file_cycles = cycles(folders), cycles(files)
    for cycle in folder_cycles:
        print("cycle of folders:", ", ".join(cycle))
    if file_cycles:
        print(f"largest cycle of files ({len(file_cycles[0])}):", ", ".join(file_cycles[0]))
    across = [cycle for cycle in file_cycles if len({folder(file) for file in cycle}) > 1]
    print(f"{len(files)} files, {len(folders)} folders; {back} mentions against the order, "
          f"{len(folder_cycles)} cycles of folders, {len(across)} cycles of files across folders")
    return 1 if folder_cycles or back else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
