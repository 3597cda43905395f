import CMeasuring

// Takes a value as a program would, a copy of its own included. What these do the optimizer does not see, so
// it can neither leave the copy out nor assume that the next reading gives the same.

@inline(__always) func keep(_ value: Int) { bench_keep(Int64(truncatingIfNeeded: value)) }
@inline(__always) func keep(_ value: Bool) { bench_keep(value ? 1 : 0) }
@inline(__always) func keep(_ value: Double) { bench_keep(Int64(bitPattern: value.bitPattern)) }
@inline(never) @_optimize(none) func keep(_ value: consuming String) {}
@inline(never) @_optimize(none) func keep(_ value: consuming [String: Int]) {}
