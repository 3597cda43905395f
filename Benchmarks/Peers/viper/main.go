// Go's viper with fsnotify as a peer of Bench: it answers each request, a line, with one line.
//
// "read N": nanoseconds for one of N reads.
// "load PATH": milliseconds of CPU time to load a JSON file from scratch.
// "watch PATH KEY MS": from then on prints "seen NUMBER TIME" for each value.
// "unmarshal PATH KEY MS": the same, with http.port of a struct into which the whole file is unmarshalled.
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

// As many fields as the configuration that Bench observes.
type settings struct {
	HTTP struct {
		Port int64
		Host string
	}
	Setting0  string
	Setting1  string
	Setting2  string
	Setting3  string
	Setting4  string
	Setting5  string
	Setting6  string
	Setting7  string
	Setting8  string
	Setting9  string
	Setting10 string
	Setting11 string
	Setting12 string
	Setting13 string
	Setting14 string
	Setting15 string
	Setting16 string
	Setting17 string
	Setting18 string
	Setting19 string
	Setting20 string
	Setting21 string
	Setting22 string
	Setting23 string
	Setting24 string
	Setting25 string
	Setting26 string
	Setting27 string
	Setting28 string
	Setting29 string
	Setting30 string
	Setting31 string
	Setting32 string
	Setting33 string
	Setting34 string
	Setting35 string
}

// Prints each number that the file has from now on.
func watch(path string, number func(*viper.Viper) int64) error {
	v, err := read(path)
	if err != nil {
		return err
	}
	v.OnConfigChange(func(fsnotify.Event) {
		fmt.Println("seen", number(v), now())
	})
	v.WatchConfig()
	return nil
}

func unmarshalled(v *viper.Viper) int64 {
	var s settings
	if v.Unmarshal(&s) != nil {
		return -1
	}
	return s.HTTP.Port
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
		case "watch", "unmarshal":
			number := unmarshalled
			if words[0] == "watch" {
				number = func(v *viper.Viper) int64 { return v.GetInt64(words[2]) }
			}
			if err := watch(words[1], number); err != nil {
				fmt.Println("skip", err)
				continue
			}
			fmt.Println(0)
		default:
			fmt.Println("skip unknown request", words[0])
		}
	}
}
