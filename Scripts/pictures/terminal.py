"""A terminal's text, with its colours, as a picture whose lines appear in the order in which they were printed."""
import re

from canvas import Canvas

COLORS = {31: "bad", 32: "win", 33: "warn", 34: "accent", 35: "accent", 36: "accent", 90: "muted"}
ROW, CHARACTER, SIZE, COLUMNS = 19, 7.85, 13, 104


def spans(line):
    """Splits a line at its colour sequences; returns texts with their colour and weight."""
    color, bold, start, result = "text", False, 0, []
    for match in re.finditer(r"\x1b\[([\d;]*)m", line):
        result.append((line[start:match.start()], color, bold))
        start = match.end()
        for code in [int(code or 0) for code in match.group(1).split(";")]:
            if code == 0:
                color, bold = "text", False
            elif code == 1:
                bold = True
            elif code == 2:
                color = "muted"
            else:
                color = COLORS.get(code, color)
    return [span for span in result + [(line[start:], color, bold)] if span[0]]


def plain(line):
    return re.sub(r"\x1b\[[\d;]*m", "", line)


def draw(palette, title, lines):
    """Draws lines; those that begin with `$ ` are what was typed, those with `# ` happen elsewhere."""
    lines = [row for line in lines for row in wrapped(line)]
    columns = max(sum(len(text) for text, _, _ in row) for row in lines)
    width = max(600, round(columns * CHARACTER) + 36)
    canvas = Canvas(width, len(lines) * ROW + 52, palette, title)
    canvas.box(0.5, 0.5, width - 1, len(lines) * ROW + 51, "fill", radius=8)
    for index, color in enumerate(("bad", "warn", "win")):
        canvas.parts.append(f'<circle cx="{20 + index * 16}" cy="18" r="5" fill="{canvas.color(color)}"/>')
    for number, line in enumerate(lines):
        canvas.parts.append(f'<g style="animation-delay:{number * 0.25:.2f}s">')
        column = 0
        for text, color, bold in line:
            canvas.text(round(18 + column * CHARACTER, 2), 46 + number * ROW, text, SIZE, color, mono=True, bold=bold)
            column += len(text)
        canvas.parts.append("</g>")
    style = ("@media (prefers-reduced-motion: no-preference) "
             "{ g { animation: shown 0.1s backwards } @keyframes shown { from { opacity: 0 } } }")
    return canvas.svg().replace("<defs>", f"<style>{style}</style>\n<defs>", 1)



def wrapped(line):
    """Returns the rows of a line as wide as the terminal, each a list of texts with colour and weight."""
    if line.startswith("# "):
        parts = [(line, "muted", False)]
    elif line.startswith("$ "):
        parts = [("$ ", "muted", False), (line[2:], "text", True)]
    else:
        parts = spans(line)
    rows, width = [[]], COLUMNS
    for text, color, bold in parts:
        while text:
            rows[-1].append((text[:width], color, bold))
            text, width = text[width:], width - len(text[:width])
            if width == 0:
                rows.append([])
                width = COLUMNS
    return rows if rows[-1] else rows[:-1]
