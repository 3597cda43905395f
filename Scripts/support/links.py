"""Finds links that lead nowhere: in the built site, and in the Markdown files of the repository."""
import json
import pathlib
import re
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent.parent


def dead(site):
    """Returns the dead links of the site that `docc` has written, and of the Markdown files."""
    return of_site(pathlib.Path(site)) + of_markdown()


def of_site(site):
    pages = {"/" + str(path.relative_to(site / "data").with_suffix("")).lower()
             for path in (site / "data").rglob("*.json")}
    result = []
    for path in sorted((site / "data").rglob("*.json")):
        page = json.loads(path.read_text())
        for reference in page.get("references", {}).values():
            result += [f"{path.relative_to(site)}: {link}" for link in targets(reference)
                       if not resolves(link, pages, site)]
    return sorted(set(result))


def targets(reference):
    """Returns the local addresses that a reference of a page leads to."""
    if reference.get("type") == "image":
        return [variant["url"] for variant in reference.get("variants", [])]
    url = reference.get("url", "")
    return [url] if url.startswith("/") else []


def resolves(link, pages, site):
    address = link.split("#")[0].lower()
    if address.startswith("/tutorials/") and address.rpartition("/")[0] in pages:
        return True     # A chapter, which is a part of its table of contents.
    return address in pages or (site / link.lstrip("/")).exists()


def of_markdown():
    """Returns the links of the repository's Markdown files to files or headings that do not exist."""
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=root, check=True, capture_output=True, text=True)
    result = []
    for name in files.stdout.split("\n"):
        path = root / name
        if not name or not path.exists():
            continue
        text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
        found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", text)
        for link in found:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, heading = link.partition("#")
            file = (path.parent / target) if target else path
            if not file.exists():
                result.append(f"{name}: {link}")
            elif heading and file.suffix == ".md" and heading not in headings(file):
                result.append(f"{name}: {link}: no such heading")
    return result


def headings(path):
    """Returns the anchors of a Markdown file's headings."""
    titles = re.findall(r"^#+ +(.*)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
