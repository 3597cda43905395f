"""Checks the articles: each has a link to the next one."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent.parent


def problems():
    """Returns what is wrong with the articles."""
    found = []
    for page in sorted((root / "Sources").glob("*/*.docc/*.md")):
        text = page.read_text().partition("\n## Topics\n")[0]
        is_article = page.stem != page.parent.stem
        if is_article and not re.search(r"^\*\*Next:\*\* (<doc:|``)", text, re.M):
            found.append(f"{page.relative_to(root)}: expected a line “**Next:** …” with a link")
    return found
