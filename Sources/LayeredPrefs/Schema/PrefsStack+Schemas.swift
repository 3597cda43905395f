#if Macros
    import PrefsSystem

    extension PrefsStack {
        /// Declares the names of a schema's keys at once. Whatever runs code of the program is declared when
        /// somebody asks for the declared keys, or a second later at the latest.
        ///
        /// The caller may be creating the schema of a global constant. Decoding a default or checking a value may
        /// run code that reads this constant, and would wait for itself.
        fileprivate func declareSoon<Keys: PrefsExpansion.PropertyKeys>(_: Keys.Type) {
            let isFirst = schemas.withLock { $0.known.insert(ObjectIdentifier(Keys.self)).inserted }
            let keys = isFirst ? Keys.all : []
            if keys.isEmpty { return }
            schemas.withLock { $0.toDeclare.append { $0.declare(keys) } }
            declare(keys.map(\.namesOfAnyType))
        }
    }

    extension PrefsStorage {
        /// Declares the keys of a schema if the storage is a stack.
        func declareSoon(_ keys: (some PrefsExpansion.PropertyKeys).Type) {
            (_capabilities.storage as? PrefsStack)?.declareSoon(keys)
        }
    }
#endif
