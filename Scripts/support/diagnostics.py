#!/usr/bin/env python3
"""Writes the list in the guide "Diagnostics and errors" from the sources that produce the errors.

usage: Scripts/generate diagnostics [--check]   with --check, fails if the guide is not up to date or a code says
                                            nothing about what to do

The codes, their meanings and what to do are the documentation of `PrefsError.Code`; the texts are the literals with
which errors are created, and the messages of the macros.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
guide = root / "Sources/LayeredPrefs/LayeredPrefs.docc/DiagnosticsAndErrors.md"

def literal(text):
    """Returns a Swift string literal's text, with `…` in place of what is interpolated."""
    result, index = "", 0
    while index < len(text):
        if text.startswith("\\(", index):
            depth, index = 1, index + 2
            while depth:
                depth += {"(": 1, ")": -1}.get(text[index], 0)
                index += 1
            result += "…"
        elif text[index] == "\\":
            result += {"n": " "}.get(text[index + 1], text[index + 1])
            index += 2
        else:
            result += text[index]
            index += 1
    return re.sub(r"…( ?…)+", "…", result).replace("`", "'").strip()


# A string literal, whose interpolations may contain strings of their own.
STRING = r'"((?:[^"\\\n]|\\[^(\n]|\\\((?:[^()"\n]|"[^"\n]*"|\((?:[^()\n]|\([^()\n]*\))*\))*\))*)"'


def source(path):
    """Returns a source without comments, each literal of which is on one line."""
    text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
    for lines in set(re.findall(r'"""\n(.*?)\n *"""', text, re.S)):
        words = re.sub(r"(\\?)\n *", lambda end: "" if end[1] else " ", lines.strip())
        text = text.replace(lines, words.replace('"', '\\"'))
    return re.sub(r'"""\n(.*)\n *"""', r'"\1"', re.sub(r'"\s*\+\s*"', "", text))


def codes():
    """Yields each code's name, meaning, what to do, and number."""
    text = (root / "Sources/PrefsDocuments/PrefsError.swift").read_text()
    declaration = r"((?:^ +///.*\n)+) +public static let (\w+) = Code\(\"\w+\", (\d+)\)"
    for comment, name, number in re.findall(declaration, text, re.M):
        words = re.sub(r"\s+", " ", re.sub(r"^ +///", "", comment, flags=re.M)).strip()
        meaning, _, action = words.partition("**To do:**")
        yield name, meaning.strip(), action.strip().replace("``Prefs", "``/PrefsDocuments/Prefs"), number


def texts():
    """Returns the texts of each code's errors."""
    result = {}
    modules = ("PrefsDocuments", "PrefsFiles", "LayeredPrefs", "LayeredPrefsInspection", "LayeredPrefsReference",
               "LayeredPrefsUserDefaults")
    for path in sorted(path for module in modules for path in (root / "Sources" / module).rglob("*.swift")):
        text = source(path)
        found = re.findall(r"PrefsError\(\s*\.(\w+)[^{}]*?reason:\s*" + STRING, text)
        found += re.findall(r"(?:\.error|\.reporting)\(\s*\.(\w+)[^{}]*?,\s*" + STRING, text)
        found += [("syntax", reason) for reason in re.findall(r"Fault\(\s*reason:\s*" + STRING, text)]
        for arguments in re.findall(r"ScanFailure\(([^{}]*?)\)\s*(?:\}|\n|$)", text):
            reason = re.search(STRING, arguments)
            code = re.search(r"code: \.(\w+)", arguments)
            if reason:
                found.append((code.group(1) if code else "syntax", reason.group(1)))
        for code, reason in found:
            if sum(letter.isalpha() for letter in literal(reason)) > 8:
                result.setdefault(code, set()).add(literal(reason))
    return result


def messages():
    """Yields the messages of the macros."""
    for path in sorted((root / "Sources/LayeredPrefsMacros/Diagnostics").glob("PrefsMessage+*.swift")):
        for text in re.findall(r"Self\(\s*" + STRING, path.read_text()):
            yield literal(text)


def page():
    """The guide: its own text, and after its first mention of this script the list."""
    text, said = guide.read_text(), texts()
    parts = [text[:text.index("\n", text.index("Scripts/generate diagnostics")) + 1]]
    for name, meaning, action, number in codes():
        parts.append(f"## {name}\n\n{meaning} The number in Foundation's `NSError` is {number}.\n\n**To do:** {action}\n")
        if name in said:
            parts.append("\n".join(f"- `{text}`" for text in sorted(said[name], key=str.lower)) + "\n")
    parts.append("## Mistakes in a schema\n\nThe compiler reports each mistake in a `@PrefsSchema` class once, at its "
                 "place. The text after the colon is what to do.\n")
    parts.append("\n".join(f"- `{text}`" for text in messages()) + "\n")
    return "\n".join(parts)


def main():
    silent = [name for name, _, action, _ in codes() if not action]
    if silent:
        sys.exit("PrefsError.Code: say what to do (**To do:** …) about " + ", ".join(silent))
    if "--check" not in sys.argv:
        guide.write_text(page())
    elif guide.read_text() != page():
        sys.exit(f"{guide.relative_to(root)} is not up to date: run Scripts/generate diagnostics")


main()
