"""The life of an edit: from a rename to an observer, with the measured time and its yardsticks."""
import pathlib
import re

from canvas import Canvas

RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "Benchmarks/RESULTS.md"
TITLE = "The life of an edit: a file is replaced, read, validated, compared, published and delivered"
STEPS = [
    ("inotify", "the content behind", "the path may differ"),
    ("read and validate", "bounded, whole file;", "broken: keep the last"),
    ("compare", "only the paths", "that changed"),
    ("publish", "generation N:", "an immutable snapshot"),
    ("deliver", "old → new, origin;", "no mutex held"),
]


def medians():
    """Returns the median microseconds of each row of `latency.rename`, by its name."""
    section = RESULTS.read_text().split("### `latency.rename`")[1].split("###")[0]
    rows = re.findall(r"^\| (?:\*\*)?(.*?)(?:\*\*)? \| ([\d.]+) \| ([\d.]+) \|", section, re.M)
    return {name: float(median) for name, _, median in rows}


def draw(palette):
    canvas = Canvas(840, 330, palette, TITLE)
    width, gap, top = 140, 26, 62
    canvas.text(16, 34, "rename(2) by any process", 14, "accent", bold=True)
    canvas.line([(40, 42), (40, top - 2)], "accent", arrow=True)
    for index, (name, first, second) in enumerate(STEPS):
        x = 16 + index * (width + gap)
        canvas.box(x, top, width, 74)
        canvas.text(x + width / 2, top + 24, name, 14, anchor="middle", bold=True)
        canvas.text(x + width / 2, top + 44, first, 11, "muted", "middle")
        canvas.text(x + width / 2, top + 60, second, 11, "muted", "middle")
        if index:
            canvas.line([(x - gap + 2, top + 37), (x - 3, top + 37)], "muted", arrow=True)
    end = 16 + 4 * (width + gap) + width / 2
    canvas.line([(end, top + 74), (end, top + 96)], "accent", arrow=True)
    canvas.text(824, top + 114, "@Pref · callback · async sequence · publisher", 14, "accent", "end", bold=True)
    bars(canvas, top + 146)
    return canvas.svg()


def bars(canvas, y):
    canvas.text(16, y, "From the rename to the observer, five layers: median µs of one run (Benchmarks/RESULTS.md)",
                12, "muted")
    rows = sorted(medians().items(), key=lambda row: row[1])
    scale = 430 / max(time for _, time in rows)
    for index, (name, time) in enumerate(rows):
        own = name.startswith("typed")
        line = y + 22 + index * 19
        canvas.text(226, line, "LayeredPrefs" if own else name, 12, "text" if own else "muted", "end", bold=own)
        canvas.box(236, line - 10, round(time * scale, 1), 11, "accent" if own else "line", "none", radius=2)
        canvas.text(244 + round(time * scale, 1), line, f"{time:.0f}", 12, "text" if own else "muted", bold=own)
