#if Macros
    public import FoundationEssentials

    extension PrefsExpansion {
        /// A type whose values fit into 64 bits, or an optional of such a type.
        public protocol Scalar: Sendable {
            /// The value as bits; `nil` only for an optional's `nil`.
            var _prefsBits: UInt64? { get }

            /// Creates the value from its bits, or from `nil` for an optional's `nil`.
            init(_prefsBits: UInt64?)
        }
    }

    extension Optional: PrefsExpansion.Scalar where Wrapped: PrefsExpansion.Scalar {
        @inlinable public var _prefsBits: UInt64? { flatMap(\._prefsBits) }

        @inlinable public init(_prefsBits: UInt64?) { self = _prefsBits.map { Wrapped(_prefsBits: $0) } }
    }

    extension PrefsExpansion.Scalar where Self: FixedWidthInteger {
        @inlinable public var _prefsBits: UInt64? { UInt64(truncatingIfNeeded: self) }

        @inlinable public init(_prefsBits: UInt64?) { self.init(truncatingIfNeeded: _prefsBits ?? 0) }
    }

    extension Int: PrefsExpansion.Scalar {}
    extension Int8: PrefsExpansion.Scalar {}
    extension Int16: PrefsExpansion.Scalar {}
    extension Int32: PrefsExpansion.Scalar {}
    extension Int64: PrefsExpansion.Scalar {}
    extension UInt: PrefsExpansion.Scalar {}
    extension UInt8: PrefsExpansion.Scalar {}
    extension UInt16: PrefsExpansion.Scalar {}
    extension UInt32: PrefsExpansion.Scalar {}
    extension UInt64: PrefsExpansion.Scalar {}

    extension Bool: PrefsExpansion.Scalar {
        @inlinable public var _prefsBits: UInt64? { self ? 1 : 0 }

        @inlinable public init(_prefsBits: UInt64?) { self = _prefsBits == 1 }
    }

    extension Double: PrefsExpansion.Scalar {
        @inlinable public var _prefsBits: UInt64? { bitPattern }

        @inlinable public init(_prefsBits: UInt64?) { self.init(bitPattern: _prefsBits ?? 0) }
    }

    extension Float: PrefsExpansion.Scalar {
        @inlinable public var _prefsBits: UInt64? { UInt64(bitPattern) }

        @inlinable public init(_prefsBits: UInt64?) {
            self.init(bitPattern: UInt32(truncatingIfNeeded: _prefsBits ?? 0))
        }
    }

    extension Date: PrefsExpansion.Scalar {
        @inlinable public var _prefsBits: UInt64? { timeIntervalSinceReferenceDate.bitPattern }

        @inlinable public init(_prefsBits: UInt64?) {
            self.init(timeIntervalSinceReferenceDate: Double(bitPattern: _prefsBits ?? 0))
        }
    }
#endif
