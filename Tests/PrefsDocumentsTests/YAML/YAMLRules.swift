/// Texts by rule of YAML 1.2 and its core schema, valid ones with their content in JSON.
enum YAMLRules {
    static let valid: [(yaml: String, json: String)] =
        scalars + strings + collections + flow + blocks + comments + anchors + merges

    private static let scalars: [(yaml: String, json: String)] = [
        (
            "a: true\nb: True\nc: TRUE\nd: false\ne: False\nf: FALSE",
            #"{"a":true,"b":true,"c":true,"d":false,"e":false,"f":false}"#
        ),
        (
            "a: no\nb: yes\nc: on\nd: off\ne: y\nf: n\ng: NO",
            #"{"a":"no","b":"yes","c":"on","d":"off","e":"y","f":"n","g":"NO"}"#
        ),
        ("a: tRUE\nb: truee\nc: nullx\nd: nuLL", #"{"a":"tRUE","b":"truee","c":"nullx","d":"nuLL"}"#),
        ("a: 0\nb: -0\nc: +12\nd: -7\ne: 007", #"{"a":0,"b":0,"c":12,"d":-7,"e":7}"#),
        (
            "a: 0o17\nb: 0x1F\nc: 0xff\nd: 0o8\ne: 0xg\nf: 0b1\ng: 0o\nh: -0x1",
            #"{"a":15,"b":31,"c":255,"d":"0o8","e":"0xg","f":"0b1","g":"0o","h":"-0x1"}"#
        ),
        (
            "a: 12:30\nb: 190:20:30\nc: 1_000\nd: 2001-01-01\ne: 2001-01-01T00:00:00Z",
            #"{"a":"12:30","b":"190:20:30","c":"1_000","d":"2001-01-01","e":"2001-01-01T00:00:00Z"}"#
        ),
        (
            "a: 1.5\nb: .5\nc: 1.\nd: 1e3\ne: -1.5E-2\nf: +.5e+1",
            #"{"a":1.5,"b":0.5,"c":1.0,"d":1000.0,"e":-0.015,"f":5.0}"#
        ),
        (
            "a: .\nb: e3\nc: 1e\nd: 1.2.3\ne: +\nf: -.\ng: 1e+",
            #"{"a":".","b":"e3","c":"1e","d":"1.2.3","e":"+","f":"-.","g":"1e+"}"#
        ),
        (
            "a: .Infx\nb: +.nan\nc: inf\nd: nan\ne: .iNF",
            #"{"a":".Infx","b":"+.nan","c":"inf","d":"nan","e":".iNF"}"#
        ),
        (
            "a: 18446744073709551615\nb: -9223372036854775808",
            #"{"a":18446744073709551615,"b":-9223372036854775808}"#
        ),
        (
            "a: 0xFFFFFFFFFFFFFFFF\nb: 0o1777777777777777777777",
            #"{"a":18446744073709551615,"b":18446744073709551615}"#
        ),
        ("8080: a\ntrue: b\n0x1: c\nno: d\n1.5: e", #"{"8080":"a","true":"b","0x1":"c","no":"d","1.5":"e"}"#),
    ]

    private static let strings: [(yaml: String, json: String)] = [
        ("a: \"true\"\nb: '12'\nc: \"\"\nd: ''", #"{"a":"true","b":"12","c":"","d":""}"#),
        ("a: it's\nb: 'it''s'\nc: \"say \\\"hi\\\"\"", #"{"a":"it's","b":"it's","c":"say \"hi\""}"#),
        (
            #"a: "\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P""#,
            #"{"a":"\u0000\u0007\b\t\n\u000B\f\r\u001B \"/\\\u0085\u00A0\u2028\u2029"}"#
        ),
        (#"a: "\x41\u00e9\U0001F600""#, #"{"a":"Aé😀"}"#),
        (#"a: 'no \n escape'"#, #"{"a":"no \\n escape"}"#),
        ("a: one\n  two\n\n  three", #"{"a":"one two\nthree"}"#),
        ("a: \"one\n  two\\\n  three\n\n  four\"", #"{"a":"one twothree\nfour"}"#),
        ("a: 'one\n  two\n\n  three'", #"{"a":"one two\nthree"}"#),
        ("a: http://x.example/?q=1#f\nb: a:b", #"{"a":"http://x.example/?q=1#f","b":"a:b"}"#),
        ("a: -x\nb: ?x\nc: :x", #"{"a":"-x","b":"?x","c":":x"}"#),
        ("é: ü\n\"q \\u00e9\": 'ß'", #"{"é":"ü","q é":"ß"}"#),
        ("\"\": 1\n'a''b': 2\n\"c:d\": 3\ne f: 4", #"{"":1,"a'b":2,"c:d":3,"e f":4}"#),
        ("a:    x   \nb:\ty", #"{"a":"x","b":"y"}"#),
    ]

    private static let collections: [(yaml: String, json: String)] = [
        ("", "{}"), ("# nothing\n", "{}"), ("---\n", "{}"), ("---\n...\n", "{}"), ("{}", "{}"),
        ("a:\n  b: 1\n  c:\n    d: 2\ne: 3", #"{"a":{"b":1,"c":{"d":2}},"e":3}"#),
        ("a:\n- 1\n- 2\nb:\n  - 3", #"{"a":[1,2],"b":[3]}"#),
        ("a:\n- - 1\n  - 2\n- - 3", #"{"a":[[1,2],[3]]}"#),
        ("a:\n- b: 1\n  c: 2\n- d: 3", #"{"a":[{"b":1,"c":2},{"d":3}]}"#),
        ("a:\n-\n  b: 1\n-\n  - 2", #"{"a":[{"b":1},[2]]}"#),
        ("? a\n: 1\n? b\n:\n  c: 2", #"{"a":1,"b":{"c":2}}"#),
        ("a : 1\n\"b\" : 2", #"{"a":1,"b":2}"#),
        ("--- \na: 1\n...\n", #"{"a":1}"#), ("%YAML 1.2\n---\na: 1\n", #"{"a":1}"#),
        ("a: 1\r\nb:\r\n  c: 2\r\n", #"{"a":1,"b":{"c":2}}"#),
        ("\u{FEFF}a: 1", #"{"a":1}"#),
    ]

    private static let flow: [(yaml: String, json: String)] = [
        ("a: [1, two, 'three', [], {}]", #"{"a":[1,"two","three",[],{}]}"#),
        ("a: {b: 1, \"c\": 2, 'd': [3]}", #"{"a":{"b":1,"c":2,"d":[3]}}"#),
        ("a: [1, 2,]\nb: {c: 1,}", #"{"a":[1,2],"b":{"c":1}}"#),
        ("a: [\n  1, # one\n  2\n]\nb: {\n  c: 1,\n  d: 2 }", #"{"a":[1,2],"b":{"c":1,"d":2}}"#),
        ("a: [b: 1, {c: 2}]", #"{"a":[{"b":1},{"c":2}]}"#),
        ("{\"a\":1,\"b\":[true,false],\"c\":{\"d\":\"x\"}}", #"{"a":1,"b":[true,false],"c":{"d":"x"}}"#),
        ("a: [http://x/y, a b]", #"{"a":["http://x/y","a b"]}"#),
        ("a: [one\n  two]", #"{"a":["one two"]}"#),
    ]

    private static let blocks: [(yaml: String, json: String)] = [
        ("a: |\n  one\n  two\nb: 1", #"{"a":"one\ntwo\n","b":1}"#),
        ("a: |-\n  one\n  two\nb: 1", #"{"a":"one\ntwo","b":1}"#),
        ("a: |+\n  one\n\nb: 1", #"{"a":"one\n\n","b":1}"#),
        ("a: |\n  one\n\n\nb: 1", #"{"a":"one\n","b":1}"#),
        ("a: |2\n   one\n  two\n", #"{"a":" one\ntwo\n"}"#),
        ("a: |\n  one\n   two # no comment\n", #"{"a":"one\n two # no comment\n"}"#),
        ("a: >\n  one\n  two\n\n  three\n", #"{"a":"one two\nthree\n"}"#),
        ("a: >-\n  one\n   two\n  three\n", #"{"a":"one\n two\nthree"}"#),
        ("a: | # comment\n  x\n", #"{"a":"x\n"}"#), ("a: |\nb: 1", #"{"a":"","b":1}"#),
        ("a:\n- |\n  x\n- >\n  y\n", #"{"a":["x\n","y\n"]}"#),
    ]

    private static let comments: [(yaml: String, json: String)] = [
        ("# a\na: 1 # b\n  # c\nb: x#y\nc: 'q # r' # d\n", #"{"a":1,"b":"x#y","c":"q # r"}"#),
        ("a: # c\n  # d\n  b: 1", #"{"a":{"b":1}}"#),
    ]

    private static let anchors: [(yaml: String, json: String)] = [
        ("a: &x 1\nb: *x\nc: [*x, *x]", #"{"a":1,"b":1,"c":[1,1]}"#),
        ("a: &x\n  b: 1\nc: *x", #"{"a":{"b":1},"c":{"b":1}}"#),
        ("a: &x # c\n  - 1\nb: {d: *x}", #"{"a":[1],"b":{"d":[1]}}"#),
        ("a: &x 1\nb: &x 2\nc: *x", #"{"a":1,"b":2,"c":2}"#),
        ("a: &x \"q\\n\"\nb: *x\nc: &y |\n  z\nd: *y\n", #"{"a":"q\n","b":"q\n","c":"z\n","d":"z\n"}"#),
        ("&r\na: 1", #"{"a":1}"#), ("a: &x [&y 1, *y]\nb: *x", #"{"a":[1,1],"b":[1,1]}"#),
    ]

    private static let merges: [(yaml: String, json: String)] = [
        ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", #"{"a":{"b":1,"c":2},"d":{"b":1,"c":3}}"#),
        ("a: &x {b: 1}\nd: {c: 3, <<: *x}", #"{"a":{"b":1},"d":{"c":3,"b":1}}"#),
        (
            "a: &x {b: 1, c: 1}\ne: &y {b: 2, d: 2}\nf:\n  <<: [*x, *y]",
            #"{"a":{"b":1,"c":1},"e":{"b":2,"d":2},"f":{"b":1,"c":1,"d":2}}"#
        ),
        (
            "a: &x {b: 1}\ne: &y {<<: *x, c: 2}\nf: {<<: *y}",
            #"{"a":{"b":1},"e":{"b":1,"c":2},"f":{"b":1,"c":2}}"#
        ),
        ("a: &x {b: {c: 1}}\nd: {<<: *x, b: {e: 2}}", #"{"a":{"b":{"c":1}},"d":{"b":{"e":2}}}"#),
        ("a: {\"<<\": 1, b: <<}", #"{"a":{"<<":1,"b":"<<"}}"#),
        ("a: {<<: {b: 1}, c: 2}", #"{"a":{"b":1,"c":2}}"#),
        ("a: &x {b: 1}\nc: &y [*x]\nd: {<<: *y}", #"{"a":{"b":1},"c":[{"b":1}],"d":{"b":1}}"#),
    ]
}

extension YAMLRules {
    /// Invalid texts, each with its error.
    static let invalid: [(yaml: String, error: String)] = [
        ("a: null", "1:4: null is not supported; remove the key, or write {} or \"\""),
        ("a: ~", "1:4: null is not supported; remove the key, or write {} or \"\""),
        ("a:\nb: 1", "1:3: null is not supported; remove the key, or write {} or \"\""),
        ("a: [1, Null]", "1:8: null is not supported; remove the key, or write {} or \"\""),
        ("a: &x\nb: 1", "1:4: null is not supported; remove the key, or write {} or \"\""),
        ("a: # c\nb: 1", "1:3: null is not supported; remove the key, or write {} or \"\""),
        ("a: [\n  # 1\n  b: , c]", "3:6: null is not supported; remove the key, or write {} or \"\""),
        ("- 1", "1:1: expected a dictionary as the outermost value, found an array"),
        ("text", "1:1: expected a dictionary as the outermost value, found a string"),
        ("a: 1\na: 2", "2:1: duplicate key “a” (first defined on line 1); a key may appear only once"),
        (
            "a: {b: 1, \"b\": 2}",
            "1:11: duplicate key “b” (first defined on line 1); a key may appear only once"
        ),
        (
            "a:\n  é: 1\n  \"\\u00e9\": 2",
            "3:3: duplicate key “é” (first defined on line 2); a key may appear only once"
        ),
        ("a: {<<: {x: 1}, <<: {y: 1}}", "1:17: duplicate key “<<”; list the mappings to merge in brackets"),
        (
            "a: {<<: {x: 1}, b: 1, b: 2}",
            "1:23: duplicate key “b” (first defined on line 1); a key may appear only once"
        ),
        ("a: !!str 1", "1:4: tags are not supported; remove the tag, and put a text in quotes"),
        ("a: ! x", "1:4: tags are not supported; remove the tag, and put a text in quotes"),
        ("a: !x [1]", "1:4: tags are not supported; remove the tag, and put a text in quotes"),
        ("!!map\na: 1", "1:1: tags are not supported; remove the tag, and put a text in quotes"),
        ("%TAG !e! tag:e,2000:\n---\na: 1", "1:1: tags are not supported; remove the directive"),
        (
            "%YAML 1.1\n---\na: no",
            "1:1: the file says YAML 1.1, but is read as YAML 1.2, in which “no” and “on” are text; remove the directive"
        ),
        ("%YAML 3.0\n---\na: 1", "1:1: this is not YAML 1.2; remove the directive"),
        ("a: 1\n---\nb: 2", "2:1: a second document begins here; a file holds one"),
        ("a: 1\n...\nb: 2", "3:1: unexpected content after the outermost value"),
        ("a: *x", "1:4: unknown alias: no anchor of this name precedes it"),
        ("b: *x\na: &x 1", "1:4: unknown alias: no anchor of this name precedes it"),
        ("a: &x [*x]", "1:8: the alias stands for a value that contains it"),
        ("a: &x\n  b: *x", "2:6: the alias stands for a value that contains it"),
        ("a: &x\n  <<: *x", "2:7: the alias stands for a value that contains it"),
        ("a: &x 1\n*x : 2", "2:1: a key must be written as a text"),
        ("[a]: 1", "1:1: a key must be written as a text"),
        ("? |\n  a\n: 1", "1:3: a key must be written as a text"),
        ("? a\n  b\n: 1", "1:3: a key must be on one line"),
        ("&x a: 1", "1:4: a key cannot have an anchor"),
        (": 1", "1:1: expected a key; check the indentation"), ("? \n: 1", "1:2: expected a key before “:”"),
        ("{: 1}", "1:2: expected a value"),
        (
            "a: &x 1\nb: {<<: *x}",
            "2:9: the merge key “<<” needs the alias of a mapping, or a list of them in brackets; a key of this name needs quotes"
        ),
        (
            "a: {<<: 1}",
            "1:9: the merge key “<<” needs the alias of a mapping, or a list of them in brackets; a key of this name needs quotes"
        ),
        (
            "a: {<<: [{b: 1}, 2]}",
            "1:9: the merge key “<<” needs the alias of a mapping, or a list of them in brackets; a key of this name needs quotes"
        ),
        (
            "a: 18446744073709551616",
            "1:4: integer out of range: fits neither Int64 nor UInt64; put a text in quotes"
        ),
        (
            "a: -9223372036854775809",
            "1:4: integer out of range: fits neither Int64 nor UInt64; put a text in quotes"
        ),
        (
            "a: 0x10000000000000000",
            "1:4: integer out of range: fits neither Int64 nor UInt64; put a text in quotes"
        ),
        ("a: 1e999", "1:4: number too large for a real; put a text in quotes"),
        ("a:\n\tb: 1", "2:1: a tab cannot indent; use spaces"),
        ("a: @b", "1:4: “@” cannot begin a text; put it in quotes"),
        ("a: `b", "1:4: “`” cannot begin a text; put it in quotes"),
        ("a: b: c", "1:5: unexpected “:”; check the indentation, or put a text that contains it in quotes"),
        (
            "a: 1\n  b: 2",
            "2:4: unexpected “:”; check the indentation, or put a text that contains it in quotes"
        ),
        ("a: 1\nb\nc: 2", "2:1: expected “:” after the key"),
        ("a:\n  b: 1\n c: 2", "3:2: expected a key; check the indentation"),
        ("a:\n  - 1\n  b: 2", "3:3: expected “-”; check the indentation"),
        ("a: [1, 2", "1:9: expected “,” or “]”"), ("a: [1}", "1:6: expected “,” or “]”"),
        ("a: {b: 1", "1:9: expected “,” or “}”"),
        ("a: \"x", "1:4: unterminated string"), ("a: 'x\n", "1:4: unterminated string"),
        ("a: \"\\q\"", "1:5: invalid escape sequence"), ("a: \"\\x4g\"", "1:7: invalid escape sequence"),
        ("a: \"\\ud800\"", "1:7: invalid escape sequence"),
        ("a: 1\n}", "2:1: expected a key; check the indentation"),
        ("a: x\0y", "1:5: control character byte 0x00; write it as an escape in double quotes"),
        ("a: \"\u{1B}\"", "1:5: control character byte 0x1B; write it as an escape in double quotes"),
        ("a: \u{7F}", "1:4: control character byte 0x7F; write it as an escape in double quotes"),
        ("a: x\u{85}y", "1:5: character U+0085; write it as an escape in double quotes"),
        ("a: x\u{2028}y", "1:5: character U+2028; write it as an escape in double quotes"),
        ("a: \u{FFFE}", "1:4: character U+FFFE; write it as an escape in double quotes"),
        ("a: 1\n\u{FEFF}b: 2", "2:1: a byte order mark inside the file; remove it"),
        ("a: 1\rb: 2", "1:5: a carriage return without a line feed; write it as \\r in quotes"),
    ]
}
