#if Configuration
    import Configuration
    import FoundationEssentials
    import LayeredPrefs

    extension ConfigType {
        /// Returns the key that reads a preference as a value of this type.
        func key(_ name: String) -> PersistentKey<ConfigContent?> {
            PersistentKey(name, defaultValue: nil, coding: ConfigContentCoding(type: self))
        }
    }

    /// The content of a configuration value in the stored form of its type.
    struct ConfigContentCoding: PrefsCoding {
        let type: ConfigType

        func encode(_ value: ConfigContent) -> PrefsValue? {
            switch value {
            case .string(let value): .string(value)
            case .int(let value): .integer(Int128(value))
            case .double(let value): .real(value)
            case .bool(let value): .bool(value)
            case .bytes(let value): .data(Data(value))
            case .stringArray(let values): .array(values.map { .string($0) })
            case .intArray(let values): .array(values.map { .integer(Int128($0)) })
            case .doubleArray(let values): .array(values.map { .real($0) })
            case .boolArray(let values): .array(values.map { .bool($0) })
            case .byteChunkArray(let values): .array(values.map { .data(Data($0)) })
            }
        }

        func decode(_ stored: PrefsValue) -> ConfigContent? {
            // swift-configuration has no dates; `description` is the date in ISO 8601.
            if case .date = stored, type == .string { return .string(stored.description) }
            return conversion.decode(stored)
        }

        func storedForm(ofText text: String) -> PrefsValue? { conversion.coding.storedForm(ofText: text) }

        var expectation: String { conversion.coding.expectation }

        var storedType: PrefsStoredType { conversion.coding.storedType }

        private var conversion: Conversion {
            switch type {
            case .string: Conversion(String.defaultPrefsCoding) { .string($0) }
            case .int: Conversion(Int.defaultPrefsCoding) { .int($0) }
            case .double: Conversion(Double.defaultPrefsCoding) { .double($0) }
            case .bool: Conversion(Bool.defaultPrefsCoding) { .bool($0) }
            case .bytes: Conversion(Data.defaultPrefsCoding) { .bytes(Array($0)) }
            case .stringArray: Conversion([String].defaultPrefsCoding) { .stringArray($0) }
            case .intArray: Conversion([Int].defaultPrefsCoding) { .intArray($0) }
            case .doubleArray: Conversion([Double].defaultPrefsCoding) { .doubleArray($0) }
            case .boolArray: Conversion([Bool].defaultPrefsCoding) { .boolArray($0) }
            case .byteChunkArray:
                Conversion([Data].defaultPrefsCoding) { .byteChunkArray($0.map(Array.init)) }
            }
        }
    }

    /// The reading direction of a preference's coding, with its result as a configuration value.
    private struct Conversion {
        let coding: any PrefsCoding
        let decode: (PrefsValue) -> ConfigContent?

        init<Coding: PrefsCoding>(
            _ coding: Coding, content: @escaping (Coding.Value) -> ConfigContent
        ) {
            self.coding = coding
            decode = { coding.decode($0).map(content) }
        }
    }
#endif
