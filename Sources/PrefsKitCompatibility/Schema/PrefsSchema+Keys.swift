#if Macros
    public import LayeredPrefs

    extension PrefsSchema {
        /// The declared keys of a schema that conforms without the macro: none.
        public static var keys: [PrefsKeyDescription] { [] }
    }
#endif
