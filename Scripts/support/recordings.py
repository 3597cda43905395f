#!/usr/bin/env python3
"""Runs the commands of README and of the guide "Inspecting a running process", and writes what they print there.

usage: Scripts/generate recordings [--check]   as root, after Scripts/test

The commands of the guide run in a mount namespace of their own, where /home and /etc/xdg are empty, so that the standard
locations are real and the machine's files are neither read nor changed. With --check, fails if something else is printed
than what the pages show. Those of README are a part of what Scripts/demo prints.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
guide = root / "Sources/LayeredPrefs/LayeredPrefs.docc/InspectingARunningProcess.md"
home = pathlib.Path("/home/ada")
domain = "com.example.edit"
SCHEMA = {"properties": {
    "http": {"properties": {"port": {"type": "integer", "minimum": 1, "maximum": 65535, "default": 8080}}},
    "log": {"properties": {"level": {"type": "string", "enum": ["debug", "info", "error"], "default": "info"}}}}}


def enter():
    """Starts this script again in a namespace with empty folders in place of those that it writes to."""
    if os.environ.get("PREFS_RECORDING") != "1":
        os.environ["PREFS_RECORDING"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    for folder in ("/home", "/etc/xdg"):
        pathlib.Path(folder).mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
    schemas = pathlib.Path("/home/share/prefs/schemas")
    for folder in (home / ".config", schemas):
        folder.mkdir(parents=True)
    (schemas / f"{domain}.schema.json").write_text(json.dumps(SCHEMA))
    os.environ.update(HOME=str(home), XDG_DATA_DIRS="/home/share", PATH=f"{root}/.build/debug:{os.environ['PATH']}")
    for name in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_RUNTIME_DIR"):
        os.environ.pop(name, None)
    os.chdir(home)


def install(system, user):
    pathlib.Path(f"/etc/xdg/{domain}.toml").write_text(system)
    (home / f".config/{domain}.toml").write_text(user)


def run(command):
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return f"$ {command}\n{result.stdout.rstrip()}"


def explain():
    install("[http]\nport = 80\n", "[http]\nport = 8080\n")
    return run(f"EDIT_HTTP_PORT=99999 prefs explain http.port -d {domain}")


def doctor():
    install('[http]\nport = 80\n\n[log]\nlevel = "loud"\n', "[http\nport = 8080\n")
    return run(f"prefs doctor -d {domain}")


def watch():
    """Edits the user's file while `prefs watch` follows it, and waits until each edit is printed."""
    install("", '[log]\nlevel = "info"\n')
    command = f"prefs watch --lines -d {domain}"
    process = subprocess.Popen(["sh", "-c", f"exec {command} 2>&1"], stdout=subprocess.PIPE, text=True)
    lines = [f"$ {command}", process.stdout.readline()]
    for edit, expected in (("s/info/debug/", "debug"), ("s/debug/verbose/", "error: .*verbose"),
                           ("s/verbose/error/", "recovered")):
        edit = f"sed -i {edit} ~/.config/{domain}.toml"
        lines.append(f"# in another terminal: {edit}")
        subprocess.run(["sh", "-c", edit], check=True)
        while True:
            lines.append(process.stdout.readline())
            if re.search(expected, lines[-1]):
                break
    process.terminate()
    process.wait()
    return "\n".join(line.rstrip() for line in lines)


def normalized(text):
    """A recording without what differs from run to run and from machine to machine."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-01-01T12:00:00.000Z", text)
    return re.sub(r"\d+ instances, \d+ watches", "128 instances, 65536 watches", text)


def replaced(page, recording):
    """Returns a page with a recording in place of the one that begins with the same command."""
    command = re.escape(recording.split("\n")[0])
    text, count = re.subn(rf"```console\n{command}\n.*?```", lambda _: f"```console\n{recording}\n```", page, flags=re.S)
    if count != 1:
        sys.exit(f"expected one recording of {recording.splitlines()[0]}, found {count}")
    return text


def main():
    readme = root / "README.md"
    demo = subprocess.run([root / "Scripts/demo"], check=True, capture_output=True, text=True).stdout
    old = re.search(r"```console\n(.*?)\n```", readme.read_text(), re.S).group(1)
    # As many steps of the demonstration as README shows, from the one that it begins with.
    start = demo.index(old.split("\n")[0])
    shown = "\n\n".join(demo[start:].split("\n\n")[:len(old.split("\n\n"))])
    pages = {readme: readme.read_text().replace(old, shown), guide: guide.read_text()}
    for recording in (explain(), doctor(), watch()):
        pages[guide] = replaced(pages[guide], normalized(recording))
    stale = [str(path.relative_to(root)) for path, text in pages.items() if path.read_text() != text]
    if "--check" not in sys.argv:
        for path, text in pages.items():
            path.write_text(text)
    elif stale:
        sys.exit(f"not up to date, run Scripts/generate recordings: {', '.join(stale)}")


enter()
main()
