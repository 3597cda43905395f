"""Writes the text of each page into the page's HTML file, so that the site also opens from disk, without a server and
without scripts. In a browser that loads the scripts, DocC's own view takes its place."""
import html
import json
import pathlib
import re

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0}
.page{max-width:52rem;margin:0 auto;padding:1rem}.page nav{font-size:.9rem}
.page pre{background:#8881;padding:.8rem;overflow-x:auto}.page code{font-family:ui-monospace,monospace;font-size:.9em}
.page table{border-collapse:collapse}.page td,.page th{border:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}
.page img{max-width:100%}.page aside{border-left:4px solid #8886;padding-left:1rem}
@media (prefers-color-scheme:dark){body{background:#111;color:#ddd}.page a{color:#8bf}}
"""


def write(site):
    """Writes the pages of a site that `docc` has made."""
    site = pathlib.Path(site)
    for data in sorted((site / "data").rglob("*.json")):
        page = json.loads(data.read_text())
        path = data.relative_to(site / "data").with_suffix("")
        place = site / path / "index.html"
        if not place.exists():
            continue
        text = Page(page, "../" * len(path.parts), site).html()
        shell = place.read_text()
        title = html.escape(page.get("metadata", {}).get("title", ""))
        shell = re.sub(r"<title>.*?</title>", lambda _: f"<title>{title}</title>", shell)
        shell = shell.replace("</head>", f"<style>{STYLE}</style></head>", 1)
        shell, count = re.subn(r'<div id="app">\s*</div>', lambda _: f'<div id="app">{text}</div>', shell)
        if count != 1:
            raise SystemExit(f"{place}: expected DocC's empty page")
        place.write_text(shell)
    (site / "index.html").write_text('<!doctype html><meta http-equiv="refresh" content="0; url=documentation/index.html">'
                                     '<a href="documentation/index.html">Documentation</a>\n')


class Page:
    def __init__(self, page, up, site):
        self.page, self.up, self.site = page, up, site
        self.references = page.get("references", {})

    def html(self):
        meta = self.page.get("metadata", {})
        parts = [self.path(), f"<h1>{html.escape(meta.get('title', ''))}</h1>",
                 f"<p>{self.inline(self.page.get('abstract', []))}</p>"]
        for section in self.page.get("primaryContentSections", []):
            parts.append(self.section(section))
        for section in self.page.get("sections", []):
            parts.append(self.tutorial(section))
        for kind in ("topicSections", "relationshipsSections", "seeAlsoSections"):
            for section in self.page.get(kind, []):
                parts.append(f"<h2>{html.escape(section.get('title', ''))}</h2>{self.links(section['identifiers'])}")
        return f'<div class="page">{"".join(parts)}</div>'

    def path(self):
        """The links to the pages above."""
        above = (self.page.get("hierarchy", {}).get("paths") or [[]])[0]
        names = [self.link(one) for one in above if self.references.get(one, {}).get("url")]
        return f'<nav><a href="{self.up}documentation/index.html">Documentation</a> / {" / ".join(names)}</nav>'

    def section(self, section):
        kind = section["kind"]
        if kind == "content":
            return self.blocks(section["content"])
        if kind == "declarations":
            return "".join("<pre>" + html.escape("".join(token["text"] for token in one["tokens"])) + "</pre>"
                           for one in section["declarations"])
        if kind == "parameters":
            items = "".join(f"<dt><code>{html.escape(one['name'])}</code></dt><dd>{self.blocks(one['content'])}</dd>"
                            for one in section["parameters"])
            return f"<h2>Parameters</h2><dl>{items}</dl>"
        return ""

    def tutorial(self, section):
        """The steps of a tutorial, and the chapters of a table of contents."""
        text = self.blocks(section.get("content") or []) if isinstance(section.get("content"), list) else ""
        for task in section.get("tasks", []):
            text += f"<h2>{html.escape(task['title'])}</h2>"
            for part in task.get("contentSection", []):
                text += self.blocks(part.get("content", []))
            for step in task.get("stepsSection", []):
                text += self.blocks(step.get("content", []))
                code = self.references.get(step.get("code") or "", {})
                text += f"<pre>{html.escape(chr(10).join(code.get('content', [])))}</pre>" if code else ""
        for chapter in section.get("chapters", []):
            text += f"<h2>{html.escape(chapter.get('name', ''))}</h2>{self.links(chapter.get('tutorials', []))}"
        return text

    def links(self, identifiers):
        items = []
        for one in identifiers:
            abstract = self.inline(self.references.get(one, {}).get("abstract", []))
            items.append(f"<li>{self.link(one)}{': ' if abstract else ''}{abstract}</li>")
        return f"<ul>{''.join(items)}</ul>"

    def link(self, identifier, text=None):
        reference = self.references.get(identifier, {})
        text = text or html.escape(reference.get("title", identifier))
        url = reference.get("url", "")
        if url.startswith("/"):
            address, mark, anchor = url[1:].partition("#")
            if not (self.site / address.lower() / "index.html").exists():
                return text
            url = f"{self.up}{address.lower()}/index.html{mark}{anchor}"
        return f'<a href="{html.escape(url)}">{text}</a>' if url else text

    def blocks(self, blocks):
        return "".join(self.block(block) for block in blocks)

    def block(self, block):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>"
        if kind == "heading":
            anchor = html.escape(block.get("anchor", ""))
            return f"<h{block['level']} id=\"{anchor}\">{html.escape(block['text'])}</h{block['level']}>"
        if kind == "codeListing":
            return f"<pre>{html.escape(chr(10).join(block['code']))}</pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = kind[0] + "l"
            return f"<{tag}>" + "".join(f"<li>{self.blocks(item['content'])}</li>" for item in block["items"]) + f"</{tag}>"
        if kind == "table":
            head, *rows = block["rows"]
            text = "<tr>" + "".join(f"<th>{self.blocks(cell)}</th>" for cell in head) + "</tr>"
            for row in rows:
                text += "<tr>" + "".join(f"<td>{self.blocks(cell)}</td>" for cell in row) + "</tr>"
            return f"<table>{text}</table>".replace("<td><p>", "<td>").replace("</p></td>", "</td>")
        if kind == "aside":
            return f"<aside><strong>{html.escape(block.get('name', ''))}</strong>{self.blocks(block['content'])}</aside>"
        return self.inline([block])

    def inline(self, pieces):
        return "".join(self.piece(piece) for piece in pieces)

    def piece(self, piece):
        kind = piece["type"]
        if kind == "text":
            return html.escape(piece["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(piece['code'])}</code>"
        if kind == "reference":
            return self.link(piece["identifier"], self.inline(piece.get("overridingTitleInlineContent", [])) or None)
        if kind == "image":
            image = self.references.get(piece["identifier"], {})
            variants = [one["url"] for one in image.get("variants", [])]
            alt = html.escape(image.get("alt") or "")
            return f'<img src="{self.up}{variants[0].lstrip("/")}" alt="{alt}">' if variants else alt
        tag = {"emphasis": "em", "strong": "strong", "newTerm": "em"}.get(kind)
        inner = self.inline(piece.get("inlineContent", []))
        return f"<{tag}>{inner}</{tag}>" if tag else inner
