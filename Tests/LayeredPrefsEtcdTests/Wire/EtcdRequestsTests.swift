#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdRequestsTests {
        @Test(
            arguments: [
                ([0x61, 0x2f], [0x61, 0x30]), ([0x61, 0xff], [0x62]), ([0x61, 0xff, 0xff], [0x62]),
                ([0xff, 0xff], [0]),
            ] as [([UInt8], [UInt8])])
        func `a range ends after the last key with its prefix`(_ prefix: [UInt8], _ end: [UInt8]) {
            let range = EtcdKeyRange(prefix: prefix)
            #expect(range.end == end && range.first == prefix)
            #expect(range.contains(prefix + [0xff]) && !range.contains([0x41]))
        }

        @Test func `a transaction compares each revision and changes each key`() {
            let text = EtcdRequests.transaction([
                .init(key: [0x61], value: [0x31], base: 4), .init(key: [0x62], value: nil, base: 0),
            ])
            #expect(
                text == #"{"compare":[{"key":"YQ==","target":"MOD","result":"EQUAL","mod_revision":"4"},"#
                    + #"{"key":"Yg==","target":"MOD","result":"EQUAL","mod_revision":"0"}],"#
                    + #""success":[{"request_put":{"key":"YQ==","value":"MQ=="}},"#
                    + #"{"request_delete_range":{"key":"Yg=="}}]}"#)
        }

        @Test func `a lease is named by its number`() {
            #expect(EtcdRequests.grantLease(seconds: 60) == #"{"TTL":"60"}"#)
            #expect(EtcdRequests.lease(.max) == #"{"ID":"9223372036854775807"}"#)
            #expect(
                EtcdRequests.put([0x61], [0x31], lease: 7) == #"{"key":"YQ==","value":"MQ==","lease":"7"}"#)
        }

        @Test func `a password may contain any character`() {
            let text = EtcdRequests.authenticate(user: "a\"b", password: "\\\u{1}é")
            #expect(text == #"{"name":"a\"b","password":"\\\u0001é"}"#)
        }
    }
#endif
