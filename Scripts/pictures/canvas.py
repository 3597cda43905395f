"""A drawing in one of two palettes, written as an SVG that needs no font or file of its own."""
from html import escape

SANS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"

PALETTES = {
    "light": {
        "text": "#1f2328", "muted": "#656d76", "line": "#d0d7de", "fill": "#f6f8fa", "page": "#ffffff",
        "accent": "#0969da", "win": "#1a7f37", "winfill": "#dafbe1", "bad": "#cf222e", "warn": "#9a6700",
    },
    "dark": {
        "text": "#e6edf3", "muted": "#9198a1", "line": "#3d444d", "fill": "#161b22", "page": "#0d1117",
        "accent": "#4493f8", "win": "#3fb950", "winfill": "#12261e", "bad": "#f85149", "warn": "#d29922",
    },
}


class Canvas:
    def __init__(self, width, height, palette, title):
        self.width, self.height, self.title = width, height, title
        self.colors = PALETTES[palette]
        self.parts = []
        self.box(0, 0, width, height, "page", "none", radius=8)     # For pages of the other colour.

    def color(self, name):
        return self.colors.get(name, name)

    def box(self, x, y, width, height, fill="fill", stroke="line", radius=6, thick=1, dash=None):
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{self.color(fill)}" '
            f'stroke="{self.color(stroke)}" stroke-width="{thick}"{extra}/>')

    def text(self, x, y, text, size=14, color="text", anchor="start", mono=False, bold=False, strike=False):
        style = ' font-weight="600"' if bold else ""
        style += ' text-decoration="line-through"' if strike else ""
        self.parts.append(
            f'<text x="{x}" y="{y}" font-size="{size}" fill="{self.color(color)}" text-anchor="{anchor}" '
            f'font-family="{MONO if mono else SANS}" xml:space="preserve"{style}>{escape(text)}</text>')

    def line(self, points, color="line", thick=1.5, arrow=False, dash=None):
        path = " ".join(f"{'M' if i == 0 else 'L'}{x} {y}" for i, (x, y) in enumerate(points))
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        extra += f' marker-end="url(#{color})"' if arrow else ""
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{self.color(color)}" stroke-width="{thick}" '
            f'stroke-linejoin="round"{extra}/>')

    def svg(self):
        markers = "".join(
            f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="{self.color(name)}"/></marker>'
            for name in ("muted", "accent", "win"))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" aria-label="{escape(self.title)}">\n'
            f"<title>{escape(self.title)}</title>\n<defs>{markers}</defs>\n" + "\n".join(self.parts) + "\n</svg>\n")
