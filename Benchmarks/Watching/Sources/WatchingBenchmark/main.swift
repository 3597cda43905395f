import Floor
import Glibc

// WatchingBenchmark [blocks]: each block is 50 replaced files for each contestant.

let directory = "/dev/shm/watching-benchmark.\(getpid())"
mkdir(directory, 0o700)
guard floor_start() == 0 else { fatalError("no inotify") }
let blocks = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 20 : 20
var measurements = Measurements(directory: directory, blocks: blocks)
measurements.compareWithFloor()
measurements.compareNumbersOfPaths()
measurements.countIdleWakeUps()
for name in ["f", "f.tmp"] { unlink(directory + "/" + name) }
rmdir(directory)
