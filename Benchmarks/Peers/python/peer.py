#!/usr/bin/env python3
"""Python's plistlib and watchdog as a peer of Bench: it answers each request, a line, with one line.

"parse PATH": milliseconds of CPU time to parse a property list.
"parse-byte PATH": nanoseconds of CPU time for each byte of a TOML file.
"watch PATH KEY MS": from then on prints "seen NUMBER TIME" for each value, read with plistlib.
"""
import os
import plistlib
import sys
import time
import tomllib


def say(*words):
    print(*words, flush=True)


def parse(path):
    with open(path, "rb") as file:
        data = file.read()
    start = time.thread_time()
    plistlib.loads(data)
    return (time.thread_time() - start) * 1e3


def parse_byte(path):
    with open(path, "rb") as file:
        text = file.read().decode()
    start = time.thread_time_ns()
    tomllib.loads(text)
    return (time.thread_time_ns() - start) / os.path.getsize(path)


def watch(path, key):
    try:
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer
    except ImportError:
        return say("skip watchdog is not installed (pip install watchdog)")

    class Handler(FileSystemEventHandler):
        def on_moved(self, event):
            if event.dest_path == path:
                with open(path, "rb") as file:
                    value = plistlib.load(file).get(key, -1)
                say("seen", value, time.monotonic_ns())

    observer = Observer()
    observer.schedule(Handler(), os.path.dirname(path))
    observer.start()
    say(0)


for line in sys.stdin:
    words = line.split()
    if words[0] == "parse":
        say(parse(words[1]))
    elif words[0] == "parse-byte":
        say(parse_byte(words[1]))
    elif words[0] == "watch":
        watch(words[1], words[2])
    else:
        say("skip unknown request", words[0])
