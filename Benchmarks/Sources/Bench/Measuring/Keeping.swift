import CMeasuring

// Consume a value as a program would, including a copy. The optimizer does not see the bodies of the C functions,
// so it can neither omit the copy nor assume that the next read gives the same value.

@inline(__always) func keep(_ value: Int) { bench_keep(Int64(truncatingIfNeeded: value)) }
@inline(__always) func keep(_ value: Bool) { bench_keep(value ? 1 : 0) }
@inline(__always) func keep(_ value: Duration) { bench_keep(value.components.seconds) }
@inline(__always) func keep(_ value: Double) { bench_keep(Int64(bitPattern: value.bitPattern)) }
@inline(never) @_optimize(none) func keep(_ value: consuming String) {}
@inline(never) @_optimize(none) func keep(_ value: consuming [String: Int]) {}
@inline(never) @_optimize(none) func keep(_ value: consuming Relay) {}
@inline(never) @_optimize(none) func keep(_ value: consuming WideSettings) {}
