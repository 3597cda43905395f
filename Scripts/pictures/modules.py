"""The graph of the package's modules, as the manifest declares them."""
import json
import pathlib
import subprocess

from canvas import Canvas

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TITLE = "The modules of the package and the dependencies between them"
WIDTH, BOX, HEIGHT, GAP, PER_ROW = 840, 256, 46, 20, 3


def manifest():
    """Returns each target's dependencies in this package, and the names of the library products."""
    # The manifest is only read, so it need not wait for a build or a test.
    command = ["swift", "package", "--ignore-lock", "dump-package"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    package = json.loads(text.stdout)
    kinds = ("regular", "executable", "system", "macro")
    targets = {
        target["name"]: [named(dependency) for dependency in target["dependencies"]]
        for target in package["targets"]
        if target["type"] in kinds and not target.get("path", "").startswith(("Tests", "Fuzz"))
    }
    products = {name for product in package["products"] for name in product["targets"]}
    return {name: [other for other in others if other in targets] for name, others in targets.items()}, products


def named(dependency):
    return next(iter(dependency.values()))[0]


def reduced(targets):
    """Returns the dependencies without those that follow from others."""
    def reach(name):
        return set(targets[name]).union(*(reach(other) for other in targets[name]))

    return {
        name: [other for other in others
               if not any(other in reach(third) for third in others if third != other)]
        for name, others in targets.items()
    }


def levels(targets):
    def level(name):
        return 1 + max((level(other) for other in targets[name]), default=-1)

    columns = {}
    for name in targets:
        columns.setdefault(level(name), []).append(name)
    return [sorted(columns[index]) for index in sorted(columns)]


def places(columns):
    """Returns the place of each box, the highest level on top, and the height of the drawing."""
    result, y = {}, 48
    for names in reversed(columns):
        for start in range(0, len(names), PER_ROW):
            row = names[start:start + PER_ROW]
            left = (WIDTH - len(row) * BOX - (len(row) - 1) * GAP) / 2
            for index, name in enumerate(row):
                result[name] = (left + index * (BOX + GAP), y)
            y += HEIGHT + 10
        y += 22
    return result, y - 16


def draw(palette):
    targets, products = manifest()
    edges = reduced(targets)
    boxes, height = places(levels(targets))
    canvas = Canvas(WIDTH, height, palette, TITLE)
    canvas.text(16, 26, "green: a product of its own; below each name, the modules that it depends on directly",
                12, "muted")
    for name, (x, y) in boxes.items():
        product = name in products
        canvas.box(x, y, BOX, HEIGHT, "winfill" if product else "fill", "win" if product else "line")
        canvas.text(x + BOX / 2, y + 20, name, 12, anchor="middle", bold=True)
        below = ["→ " + ", ".join(edges[name])] if edges[name] else []
        for line, text in enumerate(below):
            canvas.text(x + BOX / 2, y + 37 + 12 * line, text, 9.5, "muted", "middle")
    return canvas.svg()
