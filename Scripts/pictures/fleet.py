"""The picture of a fleet: one transaction, the members that replicate it, and what each daemon then uses."""
from canvas import Canvas

TITLE = "A change for a fleet: one etcd transaction reaches every connected daemon; a daemon without servers uses its cache"
FOLDER = "LayeredPrefsEtcd/LayeredPrefsEtcd.docc"
HOSTS = [
    ("web-1", "revision 4711", "9090", "fleet", True),
    ("web-2", "revision 4711", "9443", "user, the layer above the fleet's", True),
    ("web-3", "cached revision 4702", "8080", "fleet, until reconnected", False),
]
WIDTH, GAP = 250, 20


def draw(palette):
    canvas = Canvas(822, 478, palette, TITLE)
    canvas.text(16, 32, "prefs fleet set http.port 9090", 14, "accent", mono=True, bold=True)
    canvas.text(280, 32, "one transaction, refused if the key has changed meanwhile", 12, "muted")
    canvas.line([(141, 40), (141, 62)], "accent", arrow=True)
    canvas.box(16, 66, 790, 70, "page", dash="4 4")
    for index, name in enumerate(("a", "b", "c")):
        canvas.box(46 + index * (WIDTH + GAP), 78, WIDTH - 60, 28)
        canvas.text(141 + index * (WIDTH + GAP), 97, f"etcd {name}", 13, anchor="middle", mono=True)
    canvas.text(411, 126, "a majority of the members has the change before it is answered", 11, "muted", "middle")
    for index, host in enumerate(HOSTS):
        daemon(canvas, 16 + index * (WIDTH + GAP), *host)
    canvas.text(411, 464, "Each daemon keeps the last contents on disk, so that it starts and runs without any server.", 12,
                "muted", "middle")
    return canvas.svg()


def daemon(canvas, x, name, state, value, source, is_connected):
    """A machine: the stream that it follows, its layers, and its effective value."""
    middle, top = x + WIDTH / 2, 206
    canvas.line([(middle, 140), (middle, top - 4)], "win" if is_connected else "line", arrow=is_connected,
                dash=None if is_connected else "3 5")
    canvas.text(middle + 10, 174, "one watch stream" if is_connected else "no server answers", 11,
                "muted" if is_connected else "bad")
    canvas.box(x, top, WIDTH, 228)
    canvas.text(x + 14, top + 26, name, 14, bold=True)
    canvas.text(x + WIDTH - 14, top + 26, state, 12, "win" if is_connected else "warn", "end")
    is_overridden = source.startswith("user")
    rows = [("user", "9443" if is_overridden else ""),
            ("fleet", "9090" if is_connected else "8080"), ("defaults", "80")]
    for index, (layer, held) in enumerate(rows):
        y = top + 42 + index * 38
        wins = held == value
        canvas.text(x + 14, y + 21, layer, 13, "text" if wins else "muted", bold=wins)
        if held:
            canvas.box(x + 120, y + 2, WIDTH - 134, 30, "winfill" if wins else "page", "win" if wins else "line")
            canvas.text(x + 132, y + 22, held, 14, "text" if wins else "muted", mono=True, bold=wins)
    canvas.text(x + 14, top + 184, f"http.port = {value}", 14, "win", mono=True, bold=True)
    canvas.text(x + 14, top + 206, source, 12, "muted")
