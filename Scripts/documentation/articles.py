"""Checks the articles: each has a link to the next one, and together they are short."""
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent.parent
# What is written by a test or a script.
GENERATED = ("DiagnosticsAndErrors", "StoredForms")
LIMIT = 9000


def problems():
    """Returns what is wrong with the articles, and the number of words of those of LayeredPrefs."""
    found, words = [], 0
    for page in sorted((root / "Sources").glob("*/*.docc/*.md")):
        text = page.read_text().partition("\n## Topics\n")[0]
        is_article = page.stem != page.parent.stem
        if is_article and not re.search(r"^\*\*Next:\*\* (<doc:|``)", text, re.M):
            found.append(f"{page.relative_to(root)}: expected a line “**Next:** …” with a link")
        if page.parent.stem == "LayeredPrefs" and page.stem not in GENERATED:
            words += len(text.split())
    if words > LIMIT:
        found.append(f"the articles of LayeredPrefs have {words} words, more than {LIMIT}")
    return found, words
