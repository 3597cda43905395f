#!/usr/bin/env python3
"""Checks that the cost of every shape of input is in proportion to its size.

  Scripts/check complexity                       16 and 32 KiB of every shape
  Scripts/check complexity --from 64 --to 16384  every size up to 16 MiB that is twice the one before: takes an hour
  Scripts/check complexity [--to KIB] SHAPE …    only these shapes; --list names them all

callgrind counts the instructions of the work on each shape (Benchmarks/Sources/Bench/Complexity), which do not
depend on the load of the machine. The script fails if a shape takes more than 2.2 times as many for twice the
size, or if the memory of the process grows by more than 20 times the size, at 1 MiB or the largest size; a few
shapes, of which the program decides what to keep, have a limit of their own.

callgrind is some fifty times slower than the processor, so a shape is not run at a size that would take more than
--instructions, by default 2,000 million; the line then ends at the size before.
"""
import argparse, concurrent.futures, math, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT = 2.2
MEMORY_SIZE = 1 << 20
# What a process needs for its first storage, whatever the size of the file.
BASE = 1 << 20


def build():
    """Returns the program."""
    environment = dict(os.environ, BENCH_TRAITS="--traits YAML")
    subprocess.run([f"{ROOT}/Scripts/bench", "--list"], check=True, stdout=subprocess.DEVNULL, env=environment)
    for folder, _, files in os.walk(f"{ROOT}/.build/optimized"):
        if os.path.basename(folder) == "release" and "Bench" in files:
            return f"{folder}/Bench"
    sys.exit("Scripts/bench has built no Bench")


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.rejected = set()
        self.environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")

    def run(self, runs, *wrapper):
        """Runs shapes in a single process and returns the number printed for each."""
        result = subprocess.run(
            [*wrapper, self.path, "--complexity", *runs], env=self.environment, capture_output=True, text=True)
        lines = [line.split("\t") for line in result.stdout.splitlines()]
        if result.returncode != 0:
            sys.exit(f"{(runs[len(lines):] or runs[-1:])} failed:\n{result.stderr[-3000:]}")
        self.rejected |= {line[0].split(":")[0] for line in lines if line[2:] == ["rejected"]}
        return {line[0]: int(line[1]) for line in lines}

    def instructions(self, number, shapes, sizes):
        """Returns the instructions for each size of each shape."""
        out = f"{self.folder}/{number}"
        self.run(
            [f"{shape}:{size}" for shape in shapes for size in sizes], "valgrind", "--tool=callgrind",
            "--combine-dumps=no", f"--callgrind-out-file={out}", "--zero-before=bench_region_begin",
            "--dump-before=bench_region_end")
        counts = {}
        for index, shape in enumerate(shapes):
            paths = [f"{out}.{index * len(sizes) + run}" for run in range(1, len(sizes) + 1)]
            counts[shape] = [int(re.search(r"^(?:totals|summary): (\d+)", open(path).read(), re.M).group(1))
                             for path in paths]
            for path in paths:
                os.remove(path)
        return counts

    def memory(self, shape, size):
        """Returns by how many times the size the memory grew, in a process of its own."""
        run = f"{shape}:{size}"
        return max(self.run([run])[run] - BASE, 0) / size

    def measure(self, number, shapes, sizes, most):
        """Returns the instructions for each size and the memory of each shape."""
        if len(sizes) == 2:
            # Starting under valgrind takes seconds, so small sizes of many shapes share a process.
            costs = self.instructions(number, shapes, sizes)
        else:
            costs = {shape: self.doubling(number, shape, sizes, most) for shape in shapes}
        return {shape: (costs[shape], self.memory(shape, max(sizes[-1], MEMORY_SIZE))) for shape in shapes}

    def doubling(self, number, shape, sizes, most):
        """Returns the instructions for the sizes up to the first that would take too long."""
        costs = []
        for size in sizes:
            if costs and costs[-1] * LIMIT > most:
                break
            costs += self.instructions(f"{number}-{size}", [shape], [size])[shape]
        return costs


def report(shape, limit, sizes, costs, memory, is_rejected):
    """Prints the line of a shape; returns true if its cost is in proportion to the size."""
    steps = [growth(sizes[i:i + 2], costs[i:i + 2]) for i in range(len(costs) - 1)]
    faults = (["TOO MUCH WORK"] if any(step > LIMIT for step in steps) else []) + (
        ["TOO MUCH MEMORY"] if memory > limit else [])
    print(f"{shape:26}", *(f"{cost:14,}" for cost in costs), f"{memory:6.1f}  ",
          " ".join(f"{step:.2f}" for step in steps), *["(rejected)"] * is_rejected, *faults, flush=True)
    return not faults


def growth(sizes, costs):
    """Returns the factor by which the cost grows for twice the size."""
    return (costs[1] / costs[0]) ** (1 / math.log2(sizes[1] / sizes[0]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--from", dest="start", type=int, default=16, metavar="KIB")
    arguments.add_argument("--to", type=int, default=32, metavar="KIB")
    arguments.add_argument("--instructions", type=float, default=2000, metavar="MILLIONS")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("shapes", nargs="*")
    options = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="complexity-")
    try:
        # Valgrind fails on the debug information of the Swift compiler.
        subprocess.run(
            ["strip", "-g", "-o", f"{folder}/bench", os.environ.get("GUARD_BENCH") or build()], check=True)
        program = Program(f"{folder}/bench", folder)
        limits = program.run([])
        if options.list:
            return print("\n".join(limits))
        if unknown := set(options.shapes) - set(limits):
            sys.exit(f"unknown shapes: {' '.join(sorted(unknown))}; Scripts/check complexity --list names them all")
        shapes = options.shapes or list(limits)
        # In a single step, to be quick, if there are only two doublings.
        factor = 4 if options.to <= options.start * 4 else 2
        sizes = [options.start << 10]
        while sizes[-1] < options.to << 10:
            sizes.append(min(sizes[-1] * factor, options.to << 10))
        print(" ".join([f"{'shape':26}", *(f"{f'{size >> 10} KiB':>14}" for size in sizes), "memory",
                        "  for twice the size"]))
        jobs = options.jobs if len(sizes) == 2 else len(shapes)
        batches = [batch for job in range(jobs) if (batch := shapes[job::jobs])]
        failures = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(
                lambda job: program.measure(job, batches[job], sizes, options.instructions * 1e6),
                range(len(batches)))
            for result in results:
                failures += sum(not report(shape, limits[shape], sizes, *measured, shape in program.rejected)
                                for shape, measured in result.items())
    finally:
        shutil.rmtree(folder)
    if failures:
        sys.exit(f"{failures} of {len(shapes)} shapes take too many instructions or too much memory")
    print(f"{len(shapes)} shapes: at most {LIMIT} times the instructions for twice the size")


main()
