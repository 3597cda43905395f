#!/usr/bin/env python3
"""Follows the guide "Your first daemon" literally, on a copy of this machine that systemd boots, and records what is
printed.

usage: Scripts/generate first-daemon [--check]   as root, after Scripts/setup tutorial; needs mount, process and network
                                           namespaces

Writes the files of the guide, runs its commands in one shell, and writes what they print in place of the outputs. With
--check, fails if a command fails, or if the guide's outputs are not what is printed; where nothing can be mounted, or
systemd cannot run, as in some containers, it says so and checks nothing. The packages come from this
repository's last commit and from the clones that a build of it has made, so that no network is needed.
"""
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
guide = root / "Sources/LayeredPrefs/LayeredPrefs.docc/FirstDaemon.md"
work = root / ".build/tutorial"
machine = work / "machine"
BLOCK = re.compile(r"(^.*?)^```(\w+)\n(.*?)^```$", re.S | re.M)
# The seconds after which a command counts as one that hangs: a release build beside another one takes over ten minutes.
limit = 2400
# The seconds in which the services have to print what the guide shows.
patience = 120


def enter():
    """Starts this script again in a mount namespace."""
    if os.environ.get("TUTORIAL") != "1":
        os.execvpe("unshare", ["unshare", "--mount", sys.executable, *sys.argv], os.environ | {"TUTORIAL": "1"})


def unable(reason):
    """Ends the script where the guide cannot be followed."""
    subprocess.run(["umount", "--recursive", machine], check=False, capture_output=True)
    print(f"record-tutorial: {reason}; the guide is not followed", file=sys.stderr)
    sys.exit(0 if "--check" in sys.argv else 1)


def copy():
    """Makes a copy of the machine whose files may be changed, with the packages that the guide names."""
    shutil.rmtree(work, ignore_errors=True)
    for name in ("upper", "work", "machine"):
        (work / name).mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "overlay", "overlay", "-o",
                              f"lowerdir=/,upperdir={work}/upper,workdir={work}/work", machine], check=False)
    if mounted.returncode != 0:
        unable("this machine's files cannot be mounted a second time")
    # The folder of root, in which SwiftPM keeps what it knows of packages, is empty, too.
    folders = {"proc": "proc", "sys": "sysfs"} | dict.fromkeys(("run", "tmp", "home", "root"), "tmpfs")
    for name, kind in folders.items():
        (machine / name).mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", kind, "none", machine / name], check=True)
    subprocess.run(["mount", "--rbind", "/dev", machine / "dev"], check=True)
    packages = machine / "srv/packages"
    packages.mkdir(parents=True)
    origins = {"layeredprefs/LayeredPrefs": root}
    for clone in (root / ".build/repositories").iterdir():
        origins[f"apple/{clone.name.rpartition('-')[0]}"] = clone
    configuration = "[safe]\n\tdirectory = *\n"
    for name, origin in origins.items():
        copied = packages / f"{name.split('/')[-1]}.git"
        subprocess.run(["git", "clone", "-q", "--mirror", "--no-local", origin, copied], check=True)
        for ending in ("", ".git"):
            configuration += f'[url "file:///srv/packages/{copied.name}"]\n'
            configuration += f"\tinsteadOf = https://github.com/{name}{ending}\n"
    subprocess.run(["git", "-C", packages / "LayeredPrefs.git", "tag", "-f", "0.1.0", "HEAD"], check=True,
                   capture_output=True)
    (machine / "etc/gitconfig").write_text(configuration)
    (machine / "home/ada").mkdir()
    if not shutil.which("sudo"):
        sudo = machine / "usr/local/bin/sudo"
        sudo.write_text('#!/bin/sh\nexec "$@"\n')
        sudo.chmod(0o755)
    target = machine / "etc/systemd/system/tutorial.target"
    target.write_text("[Unit]\nRequires=systemd-journald.socket\n")


def boot():
    """Starts systemd on the copy; returns the process that keeps it."""
    keeper = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child", "--mount", "--net", "--cgroup",
         "--ipc", "--uts", "sh", "-c",
         f"cd {machine}; mount -t proc proc proc; mount -t sysfs sysfs sys; mount -t cgroup2 cgroup2 sys/fs/cgroup; "
         # systemd hands out credentials in mounts of its own, which have to reach the services.
         "mount --make-rshared .; "
         "exec env -i container=1 PATH=$PATH chroot . /lib/systemd/systemd --unit=tutorial.target"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        children = pathlib.Path(f"/proc/{keeper.pid}/task/{keeper.pid}/children").read_text().split()
        enter = ["nsenter", "--target", children[0], "--all", "--root", "--wd"] if children else []
        if children and subprocess.run([*enter, "systemctl", "is-active", "-q", "tutorial.target"],
                                       capture_output=True).returncode == 0:
            return keeper, enter
        time.sleep(0.2)
    keeper.kill()
    unable("systemd did not start")


class Shell:
    """The shell that runs the commands. What its background processes print is a part of its output."""

    def __init__(self, enter):
        self.log = work / "log"
        self.seen = 0
        self.statuses, statuses = os.pipe()
        self.process = subprocess.Popen(
            [*enter, "env", "-i", f"PATH={os.environ['PATH']}:/opt/swift/usr/bin", "HOME=/home/ada", "LC_ALL=C.UTF-8",
             "PAGER=cat", "bash"],
            stdin=subprocess.PIPE, stdout=self.log.open("wb"), stderr=subprocess.STDOUT, text=True,
            pass_fds=[statuses])
        self.report = f"echo $? >&{statuses}"
        self.run("set -m; cd")

    def run(self, commands):
        """Runs commands; returns the status of the last."""
        self.process.stdin.write(f"{commands}\n{self.report}\n")
        self.process.stdin.flush()
        if not select.select([self.statuses], [], [], limit)[0]:
            sys.exit(f"these commands do not end within {limit} s:\n{commands}\n{self.output()}")
        return int(os.read(self.statuses, 64) or sys.exit(f"the shell has ended:\n{self.output()}"))

    def output(self):
        """What was printed since the last `forget`."""
        text = self.log.read_bytes()[self.seen:].decode()
        # libdispatch prints this if the process runs at a lower priority than it asks for, as under `nice`.
        text = re.sub(r"Failed to set thread priority for worker thread: .*\n", "", text)
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d{4}", "2026-11-25T09:00:00+0000", text)

    def quiet(self):
        """Waits until nothing more is printed."""
        before = None
        while before != (before := self.output()) or not before:
            time.sleep(2)
        return before

    def forget(self):
        self.seen = self.log.stat().st_size


def same(output, other):
    """True if both have the same lines. Different threads of the daemon print them."""
    return sorted(output.splitlines()) == sorted(other.splitlines())


def write(enter, words, code):
    """Writes a file of the guide into the package's folder."""
    path = re.findall(r"`([\w./-]+\.(?:swift|service))`", words)[0]
    subprocess.run([*enter, "sh", "-c", 'cd /home/ada/relay; mkdir -p "$(dirname "$0")"; cat > "$0"', path],
                   input=code, text=True, check=True)


def follow(text, enter):
    """Yields each block of the guide, with what takes the place of an output."""
    shell = Shell(enter)
    blocks = list(BLOCK.finditer(text))
    for index, block in enumerate(blocks):
        words, kind, code = block.groups()
        if kind in ("Swift", "ini"):
            write(enter, words, code)
        elif kind == "sh":
            print(code, end="", flush=True)
            status = shell.run(code)
            is_shown = index + 1 < len(blocks) and blocks[index + 1].group(2) == "text"
            if status != 0 and not is_shown:
                sys.exit(f"{guide.name}: these commands fail:\n{code}{shell.output()}")
            if not is_shown:
                shell.forget()
        elif kind == "text":
            deadline = time.monotonic() + patience
            while "--check" in sys.argv and not same(shell.output(), code) and time.monotonic() < deadline:
                time.sleep(0.1)
            found = shell.output() if "--check" in sys.argv else shell.quiet()
            if "--check" in sys.argv and not same(found, code):
                sys.exit(f"{guide.name}: expected the output\n{code}found\n{found}")
            yield block, found
            shell.forget()


def main():
    if os.getuid() != 0:
        sys.exit("run Scripts/generate first-daemon as root")
    enter()
    os.setpriority(os.PRIO_PROCESS, 0, 0)
    copy()
    keeper, inside = boot()
    try:
        text, result, end = guide.read_text(), "", 0
        for block, output in follow(text, inside):
            result += text[end:block.start(3)] + output
            end = block.end(3)
        if "--check" not in sys.argv:
            guide.write_text(result + text[end:])
    finally:
        keeper.send_signal(signal.SIGKILL)
        keeper.wait()
        subprocess.run(["umount", "--recursive", machine], check=False, capture_output=True)
        shutil.rmtree(work, ignore_errors=True)


main()
