#!/usr/bin/env python3
"""Makes the DocC tutorial of the site from the guide "Your first daemon", so that there is one text.

usage: tutorial.py FOLDER      writes the guide's Swift files, for Scripts/check guides: one folder for each version

Each `##` of the guide is a section, its first paragraph the introduction; each paragraph with the code that follows it
is a step.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
guide = root / "Sources/LayeredPrefs/LayeredPrefs.docc/FirstDaemon.md"
EXTENSIONS = {"Swift": "swift", "sh": "sh", "ini": "ini", "text": "txt"}


def sections(text):
    """Yields each section's title, introduction and steps: a text, and the code that follows it with its kind."""
    for part in text.split("\n## ")[1:]:
        title, introduction, body = f"{part}\n\n".split("\n\n", 2)
        steps = []
        for words, kind, code in re.findall(r"(.*?)(?:^```(\w+)\n(.*?)^```$|\Z)", body, re.S | re.M):
            words = words.strip()
            if kind:
                steps.append((words, kind, code))
        yield title, " ".join(introduction.split()), steps


def named(words, kind):
    """The name that a listing is shown under: the path in the text, or the terminal."""
    path = re.search(r"`([\w./-]+\.(?:swift|service))`", words)
    if path and kind in ("Swift", "ini"):
        return path.group(1).split("/")[-1]
    return "Output" if kind == "text" else "Terminal"


def tutorial(text):
    """Returns the tutorial's files by their paths in the catalogue."""
    files, parts = {}, []
    title = re.match(r"# (.*)", text).group(1)
    summary = text.split("\n\n")[1]
    number = 0
    for heading, introduction, steps in sections(text):
        if not steps:
            continue
        if not steps[0][0]:
            sys.exit(f"FirstDaemon.md: {heading}: expected a paragraph of introduction before the first step")
        lines = []
        for words, kind, code in steps:
            number += 1
            name = named(words, kind)
            file = f"FirstDaemon-{number:02}.{EXTENSIONS[kind]}"
            files[f"Resources/{file}"] = code
            step = " ".join(words.split())
            lines.append(f"            @Step {{\n                {step}\n\n"
                         f"                @Code(name: \"{name}\", file: {file})\n            }}")
        parts.append(f"    @Section(title: \"{heading}\") {{\n        @ContentAndMedia {{\n            {introduction}\n"
                     f"        }}\n\n        @Steps {{\n" + "\n\n".join(lines) + "\n        }\n    }")
    body = "\n\n".join(parts)
    files["Tutorials/FirstDaemonTutorial.tutorial"] = (
        f"@Tutorial(time: 10) {{\n    @Intro(title: \"{title}\") {{\n        {summary}\n    }}\n\n{body}\n}}\n")
    files["Tutorials/LayeredPrefsTutorials.tutorial"] = (
        '@Tutorials(name: "LayeredPrefs") {\n    @Intro(title: "Learn LayeredPrefs") {\n        Configuration that changes '
        'while a program runs.\n    }\n\n    @Chapter(name: "Daemons") {\n        Write a daemon, test it, package it, and run it.\n\n'
        '        @Image(source: layers, alt: "Six layers; for each key the highest acceptable value wins.")\n\n'
        '        @TutorialReference(tutorial: "doc:FirstDaemonTutorial")\n    }\n}\n')
    return files


def extract(text, folder):
    """Writes the Swift files of each version of the program; a file stays until the guide writes it again."""
    files, version = {}, 0
    for _, _, steps in sections(text):
        for words, kind, code in steps:
            name = named(words, kind)
            if kind != "Swift" or name == "Package.swift":
                continue
            files[name] = code
            if name == "Main.swift":
                version += 1
                place = pathlib.Path(folder) / str(version)
                place.mkdir(parents=True, exist_ok=True)
                for each, content in files.items():
                    (place / each).write_text(content)


def write(folder):
    """Writes the tutorial into a copy of the catalogue."""
    for name, content in tutorial(guide.read_text()).items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)


if __name__ == "__main__":
    extract(guide.read_text(), sys.argv[1])
