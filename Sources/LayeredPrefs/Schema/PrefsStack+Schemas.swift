#if Macros
    import PrefsSystem

    extension PrefsStack {
        /// Declares the names of a schema's keys, and what takes code of the program when somebody asks for what is declared, a
        /// second later at the latest.
        ///
        /// The caller may be creating the schema that a global constant is to hold. Decoding a default or checking a value
        /// may run code that reads this constant, which would wait for itself.
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
