"""The picture of the README: layers, which value wins and why, and an edit that arrives."""
from canvas import Canvas

TITLE = "Six layers, from defaults to overrides; for each key the highest acceptable value is effective"
KEYS = ["http.port", "log.level", "telemetry"]
# A layer, where its values come from, and what it holds of each key: the text and what becomes of it.
LAYERS = [
    ("overrides", "set while the program runs", [None, None, None]),
    ("arguments", "--set key=value", [None, None, None]),
    ("environment", "EDIT_HTTP_PORT, EDIT_LOG_LEVEL, …", [None, None, None]),
    ("user", "~/.config/com.example.edit.toml", [('"many"', "rejected"), ("debug", "wins"), ("true", "locked out")]),
    ("system", "/usr/share, /etc/xdg, /run; drop-ins, locks", [("8080", "wins"), ("info", "shadowed"), ("false", "wins, locked")]),
    ("defaults", "in the program", [("80", "shadowed"), ("notice", "shadowed"), ("true", "shadowed")]),
]
LEFT, TOP, ROW, NAME, CELL = 16, 44, 42, 310, 158


def cell(canvas, x, y, value):
    text, state = value
    wins, bad = state.startswith("wins"), state in ("rejected", "locked out")
    canvas.box(x + 6, y + 4, CELL - 12, ROW - 8, "winfill" if wins else "fill", "win" if wins else "line",
               thick=1.5 if wins else 1)
    canvas.text(x + 16, y + 26, text, 14, "text" if wins else "muted", mono=True, bold=wins, strike=bad)
    color = "win" if wins else "bad" if bad else "muted"
    canvas.text(x + CELL - 14, y + 26, state.replace("wins, ", ""), 11, color, "end")


def draw(palette):
    canvas = Canvas(806, 430, palette, TITLE)
    for column, key in enumerate(KEYS):
        canvas.text(LEFT + NAME + column * CELL + CELL / 2, TOP - 16, key, 14, "text", "middle", mono=True, bold=True)
    canvas.text(LEFT + 8, TOP - 16, "highest", 12, "muted")
    for row, (name, source, values) in enumerate(LAYERS):
        y = TOP + row * ROW
        canvas.box(LEFT, y + 2, NAME + 3 * CELL, ROW - 4, "page")
        canvas.text(LEFT + 12, y + 18, name, 14, bold=True)
        canvas.text(LEFT + 12, y + 33, source, 11, "muted", mono=True)
        for column, value in enumerate(values):
            if value:
                cell(canvas, LEFT + NAME + column * CELL, y, value)
    bottom = TOP + len(LAYERS) * ROW
    canvas.text(LEFT + 8, bottom + 18, "lowest", 12, "muted")
    canvas.text(LEFT + 12, bottom + 50, "effective", 14, "win", bold=True)
    for column, value in enumerate(["8080", "debug", "false"]):
        x = LEFT + NAME + column * CELL + CELL / 2
        canvas.line([(x, bottom + 4), (x, bottom + 28)], "win", arrow=True)
        canvas.text(x, bottom + 50, value, 15, "win", "middle", mono=True, bold=True)
    edited(canvas, bottom)
    return canvas.svg()


def edited(canvas, bottom):
    """An edit of the user's file, and who is notified of it."""
    x = LEFT + NAME + CELL
    canvas.line([(x + CELL / 2, bottom + 58), (x + CELL / 2, bottom + 82)], "accent", arrow=True)
    canvas.text(LEFT + 12, bottom + 102, "an editor saves the user's file:", 13, "accent")
    canvas.text(x + CELL / 2, bottom + 102, "info → debug", 14, "accent", "middle", mono=True, bold=True)
    canvas.text(LEFT + 12, bottom + 122,
                "only observers of this key are notified: @Pref properties, callbacks, async sequences", 12, "muted")
