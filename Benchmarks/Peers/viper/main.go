// Go's viper with fsnotify as a peer of Bench: it answers each request, a line, with one line.
//
// "read N": nanoseconds for one of N reads.
// "load PATH": milliseconds of CPU time to load a JSON file from scratch.
// "watch PATH KEY MS": from then on prints "seen NUMBER TIME" for each value.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/viper"
)

// Reads a clock that Bench also reads, in nanoseconds: 1 is CLOCK_MONOTONIC, 2 the CPU time of all threads.
func clock(id uintptr) int64 {
	var t syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

func now() int64 { return clock(1) }

func read(path string) (*viper.Viper, error) {
	v := viper.New()
	v.SetConfigFile(path)
	v.SetConfigType("json")
	return v, v.ReadInConfig()
}

func perRead(count int) float64 {
	v := viper.New()
	v.SetDefault("http.port", 80)
	v.SetEnvPrefix("BENCH")
	v.AutomaticEnv()
	v.SetConfigType("json")
	v.ReadConfig(strings.NewReader(`{"http": {"port": 8443, "host": "a"}}`))
	sum := 0
	start := time.Now()
	for i := 0; i < count; i++ {
		sum += v.GetInt("http.port")
	}
	elapsed := time.Since(start)
	if sum != 8443*count {
		return -1
	}
	return float64(elapsed.Nanoseconds()) / float64(count)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "read":
			count, _ := strconv.Atoi(words[1])
			fmt.Println(perRead(count))
		case "load":
			start := clock(2)
			if _, err := read(words[1]); err != nil {
				fmt.Println("skip", err)
				continue
			}
			fmt.Println(float64(clock(2)-start) / 1e6)
		case "watch":
			v, err := read(words[1])
			if err != nil {
				fmt.Println("skip", err)
				continue
			}
			key := words[2]
			v.OnConfigChange(func(fsnotify.Event) {
				fmt.Println("seen", v.GetInt64(key), now())
			})
			v.WatchConfig()
			fmt.Println(0)
		default:
			fmt.Println("skip unknown request", words[0])
		}
	}
}
