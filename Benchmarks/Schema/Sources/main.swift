import Foundation
import LayeredPrefs

let contents = makeContents(CommandLine.arguments.count)
let plain = Plain()
plain.fill(from: contents)
let dictionary = DictionaryPrefs(DictionaryPrefsStorage(values: contents))
let stack = StackPrefs(
    LayeredPrefsStorage {
        PrefsLayer(.defaults, DictionaryPrefsStorage(values: contents))
        PrefsLayer(.system, DictionaryPrefsStorage(values: contents))
        PrefsLayer(.user, DictionaryPrefsStorage(values: contents))
        PrefsLayer(.environment, DictionaryPrefsStorage())
        PrefsLayer(.overrides, DictionaryPrefsStorage())
    })

print("| read | ratio | goal | ns, median | ns, least | plain, median | plain, least |")
print("|---|---|---|---|---|---|---|")
compare("Int, dictionary", goal: 0.35) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.int) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.int) } }
}
compare("Bool, dictionary", goal: 0.35) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.bool) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.bool) } }
}
compare("Double, dictionary", goal: 0.35) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.double) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.double) } }
}
compare("absent Int?, dictionary", goal: 0.35) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.absent) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.int) } }
}
compare("short String, dictionary", goal: 0.7) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.short) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.short) } }
}
compare("long String, dictionary", goal: 0.7) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.long) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.long) } }
}
compare("[String: Int], dictionary", goal: 0.7) {
    nanoseconds { for _ in 0..<$0 { consume(dictionary.table) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.table) } }
}
compare("Int, five layers", goal: 0.35) {
    nanoseconds { for _ in 0..<$0 { consume(stack.int) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.int) } }
}
compare("long String, five layers", goal: 0.7) {
    nanoseconds { for _ in 0..<$0 { consume(stack.long) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.long) } }
}
compare("Int while tracked", goal: 1.1) {
    nanoseconds(100_000) { calls in
        withObservationTracking {
            for _ in 0..<calls { consume(dictionary.int) }
        } onChange: {
        }
    }
} with: {
    nanoseconds(100_000) { calls in
        withObservationTracking {
            for _ in 0..<calls { consume(plain.int) }
        } onChange: {
        }
    }
}
dictionary.storageMode = .storageOnly
compare("Int, storageOnly", goal: 0.35) {
    nanoseconds(100_000) { for _ in 0..<$0 { consume(dictionary.int) } }
} with: {
    nanoseconds { for _ in 0..<$0 { consume(plain.int) } }
}
dictionary.storageMode = .cachedReadStorageWrite

let shared = dictionary
let alone = nanoseconds { for _ in 0..<$0 { consume(shared.int) } }
let together = median((0..<11).map { _ in nanosecondsOfTwo { for _ in 0..<$0 { consume(shared.int) } } })
print("two threads, Int: \(together) ns each beside \(alone) alone")
let aloneLong = nanoseconds { for _ in 0..<$0 { consume(shared.long) } }
let togetherLong = median((0..<11).map { _ in nanosecondsOfTwo { for _ in 0..<$0 { consume(shared.long) } } })
print("two threads, long String: \(togetherLong) ns each beside \(aloneLong) alone")
var number = 0
let write = median(
    (0..<11).map { _ in
        nanoseconds(10_000) {
            for _ in 0..<$0 {
                number += 1
                dictionary.int = number
            }
        }
    })
print("write of an Int, 6 keys, 7 prefs: \(write) ns")

let before = allocation_count()
for _ in 0..<1000 {
    consume(dictionary.int)
    consume(dictionary.absent)
    consume(dictionary.long)
    consume(dictionary.table)
    consume(stack.int)
    consume(stack.long)
}
print("allocations in 6,000 reads: \(allocation_count() - before)")
