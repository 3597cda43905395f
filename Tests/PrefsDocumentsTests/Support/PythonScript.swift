import PrefsDocuments

/// Python scripts that use `plistlib`.
enum PythonScript {
    private static let head = """
        import datetime, os, plistlib, struct, sys
        def plain(v):
            if isinstance(v, plistlib.UID): return {"CF$UID": v.data}
            if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
            if isinstance(v, list): return [plain(x) for x in v]
            if isinstance(v, float): return ("real", struct.pack(">d", v))
            if isinstance(v, bool): return ("bool", v)
            if isinstance(v, datetime.datetime): return v.replace(microsecond=0)
            return v
        def load(path):
            with open(path, "rb") as f: return plain(plistlib.load(f))

        """

    /// Compares `N.original`, `N.xml` and `N.binary` in a folder.
    static let compareCopies =
        head + """
            folder, bad = sys.argv[1], 0
            for name in sorted(os.listdir(folder)):
                if not name.endswith(".original"): continue
                base = os.path.join(folder, name[:-9])
                try:
                    first = load(base + ".original")
                except Exception as e:
                    print(name, "python cannot read the original:", e); bad = 1; continue
                for copy in (".xml", ".binary"):
                    if load(base + copy) != first: print(name, copy, "differs"); bad = 1
            sys.exit(bad)
            """

    /// Reads each property list in a folder and writes it as `NAME.xml` and `NAME.binary`.
    static let rewrite =
        head + """
            folder = sys.argv[1]
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                with open(path, "rb") as f: value = plistlib.load(f)
                if "x" in sys.argv[2]:
                    with open(path + ".xml", "wb") as f: plistlib.dump(value, f, fmt=plistlib.FMT_XML)
                if "b" in sys.argv[2]:
                    with open(path + ".binary", "wb") as f: plistlib.dump(value, f, fmt=plistlib.FMT_BINARY)
            """
}
