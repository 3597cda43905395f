import Foundation

/// Data compressed by other programs, with the original data.
enum CompressionFixtures {
    struct Fixture: Sendable, CustomStringConvertible {
        var description: String
        var compressed: Data
        var plain: Data
    }

    /// Returns words in an order that looks random but is always the same.
    static func text(_ count: Int) -> Data {
        let words = [
            "alpha", "beta", "gamma", "delta", "host", "port", "level", "timeout", "true", "false", "8080",
            "path",
            "/usr/share", "key", "value", "\n",
        ]
        var data = Data()
        var state: UInt64 = 42
        while data.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            data += Data((words[Int(state >> 33 % 16)] + " ").utf8)
        }
        return data.prefix(count)
    }

    /// Returns incompressible bytes that are always the same.
    static func noise(_ count: Int) -> Data {
        var state: UInt64 = 42
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            })
    }

    /// Written by lzfse's reference implementation.
    static let lzfse = [
        Fixture(
            description: "lzvn block",
            compressed: decoded(
                """
                YnZ4bvQBAADnAAAA62xldmVsIGdhbW1hIAaYFAog4AAvdXNyL3NoYXJlIGZhbHNlIBftdmFsdWUga2V5IHRy\
                dSgVOEDyODjx5HBvcnQgFulwYXRoIGJldGEYNxhSOCvxGEjtdGltZW91dCBhbHBoYRBlGG84kvcIGzh18sg2\
                aG9z9OQ4MDgwGGU4QBhvEH84NvIYFyh1KAgQtgg8ELQYe2BJCigkEEsQIAgpUAYKKBwQjDkG8ggnOF3zEKMQ\
                CshJZGVs9Bi+ODjxGJ4YIhBUENUQNxAPOPTxKKUYCDjj8slyCiAK+OVrZXkgawYAAAAAAAAAYnZ4JA==
                """),
            plain: text(500)),
        Fixture(
            description: "packed tables",
            compressed: decoded(
                """
                YnZ4MnAXAACUANAEAO4CcFNKtvxnqwQwqAAAAD2QkAD/QVQAEUFAwMPDznRXjYCwZtbce52d3BxdXl0eXZ5d\
                HBydrLGXjaYoAAAAAADABgDgDQEAAAAA4D8AAACAszMA4AwAAAAAAAAAAADgd9jsv2Lvx2DzGLwE1/wH17wQ\
                T8DT8BKcwWMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAyI6/vJW5zlO4F7V7Dq60Z6zaF\
                bjnJVuv9syZMLqtzm7EsRVYMXMEmZJUFxWiq8dH0vxj5mENT2tWsZqkybvbEEIIXnB8Gk9aVgq4AAAAAAAAA\
                AAAAEADTki4U/1+CufM0mnvwQ4nwOpDvQHz4VhqOCrW9Tf+aIbhN/UqumeoLP7VRJvNllYNyqLuCz4RtkUqG\
                GaM1zoV6xz9787v/FN7Bay4AWq1ZkoMV/+pExRmZBacXJRDxvEq51WatfBv3NgrH2MG1PAMc7AZdLP5NMp7V\
                Sk1otD2WO+yz6G08EA/MOaYqppqh0ydgaCajjm1KNF11csS2VgX5TQudDSentgBD3rL1KigiplfevJE5RmdB\
                3cXdJHE44s0++nYtfIHNwwerBHfpBhoWpy3uTa2EA7+AEbqUvWuJAD6ldoNjpGS4/U43H2fZiOGYn7wG2kru\
                hsosG+VCJUPKcFw+E1AuIe9Nfop/RXOZTM39KxQG8bGcK0uFHN+qxiMmiwI+nGvBgwxWoCDFcxPC+zYERBrJ\
                vCs9TP1TIJiKRU/gV15hHjkJODm9NLVF8pkuMRNxrrrbmOC4oaQ7buIwNUWp6a3MgjBDFIQozggvzIvnP3ya\
                tbCxdHaXyE7oaqMge0yt/N3pZhJm4YGwNIGXDINVt6lYf4zZkH24gqvPQqLCv3zYt5dut9SdLxGig0ktF8uw\
                YCXxMStP89HjAnQ1dWe1dvqvCYBnMOZMFsgnNvjJmmtsC2ukb3fIHZqMd5bG3IFNuXH0gnbDRN2zaqN2QzDA\
                L09aNqtZYyCjTVAd7DMsYVoVgRYWT8h1ck1cRJ3vWQBCzX/tCGT9N9Nl2ctkkSPJD7wHzWcWPYrwOrs3qT/M\
                1uIKHwuAFdd0vfrbcryefaKvXN4ZI/LkjpSTSaBuBje4hWGgOXdxm+cBHGeicQtEXEIK7HELYimA2yFMNaev\
                cxxRRdAbbCldwxq8Hq27lGDizmvBfsYjGlgbd3GxsbYjkbWZGtczNc5aqZo3sRaCvS3V72jjios0gd104W21\
                d2ovuz16fW8GnKQAjF4hHCVWonb27Rfh0B7l2+Lj8DRhqFejLZNXkxywTElK9BhATlMpeGVjMkeiZiDjtxbV\
                5urBqvtSUR+pR/I9DjokaMtB0tZ95JQnl9vi+jRtDMskogenIxYlckOgU2KrSvA61CG0xPomFks9/pryx8d/\
                kTXmQTwTcnLMTniqMMXXcDIsRSajGNtQeqGHlayA4/Ubl87NfzVBqQWR0cm2f22tzdFY6vXVuaSp1ZakDO8D\
                3ewAl2lkSlXdxZ9aZuT0NyoI1NE1R9xcJvKnmGLZtLNnNtu0ofSqNMmF2c0IDSzbAzYQvncJ0aaolNphTFaV\
                KDmnSnGRz6g22ZRcdSd2tk0SNS2xcJKRGPaiUj2bvnPxtmMx+vp6kVCGpNhtZJDDzr5OnXBXHic3wVO6q/3w\
                8CrNU9wxo+ub6yt6JaEwiGnbAmjZojFI0agSEE/5pdJBj3Ya3Vf6LWE/w1LNULFcnr8H3FaKILpyKKOdppIB\
                CuMrlHhLyOAijJhQ5sbm3Tp8JiyaLrhX9KnUqflsUf1gDPHUx0kPjs60aDcrSDILeJtfpY4TWTyK2KCNOAxu\
                Mgm9iK7W87+NR0IL0JCNu1Q7qtEktZQXefdUVbcTbbypPQy6oO0TNXXyHKaq/XseBh/hT2gOYnZ4JA==
                """),
            plain: text(6000)),
        Fixture(
            description: "plain block",
            compressed: decoded(
                """
                YnZ4LSwBAAB2UtIfVgzZlr69iBZiciw1glsBCCm8Nhdwfd6mvK3iIqTQCsg9rmlxMgIJt1eFrStGHw43sfs9\
                r72H5EzrxyUKVTPrYKyZ0wSIVWT0kMZf5mJSj8+4yc2dvmIiFgNP3IJ4FNJ5CTkkxChDsyUGm2zuSfVu3iBc\
                MsWi/FRBa7aDRAcCgcVXhXEijipovDnhe/KPHSYwxjJrjcwBRxN8dFEHUVyY8BMeVzCyruDDLK5NFXUFc2qc\
                e/LBhYurmMEOHA3IoHwAivn91fSwcdjfmOO57KWEqkL4+wkbXWPgrZy4LURF0jG3gJRyf8H/qUZ2G9AlyKyg\
                IGc10ZOVU7fTydZlzg5oUpM7WBc5Fwfywq3UppaekjH8YQm1zN256KFgaeLr3qmg+fASKycCNfxidngk
                """),
            plain: noise(300)),
        Fixture(
            description: "long runs",
            compressed: decoded(
                """
                YnZ4MlDDAAAEAAAAABcAcAAAAAAAKQBwggAAADskkA8vQikAAABAAQAAAOBL+G5uAAAAAAAAAAAAAAAAAAAA\
                4NEHAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAJHw/////////////////////////////////3//J/9/YnZ4JA==
                """),
            plain: Data(count: 50_000)),
        Fixture(
            description: "mixed",
            compressed: decoded(
                """
                YnZ4MmwgAAC0AXAYAD0BUPTthahhCQJgygAAADyQ0ADPgVYEEUFQwLvLzmQONWgCc2bNg4N1eHJxd3p1dnJ3\
                eDHP9u5Fk0ggIAAAAAAAHK2dJDsXTwDJBrKStYGVZL0AbLKTJGuFdbF22MnahAUkWVkhkBDWTlZ2ICtk/QEX\
                Wb9C1u3O9e3O7cV+Ao7uD4/ILWuFJCvZZJGQrJCVLHbIStgJyYKVrIudJCHZa8FeC3aStbIXrCQreyUhgWRn\
                ZSWEwA5hsVmBLNYOAQAAgCBEdv0RkVmAL27CsmWz3/slXJf/lh46oPzICHFckK2HXsuTcwgNKdsGkYadpufd\
                GDhVcUAacOfPUfg2+d0F9jn0JUc5gIWR/7Grl6+roGeaBgIfUXkeuzefcl7AT8+PIleC9KTE52xPo4AhP+pv\
                Tw4wteeD2sHShbZQ1h27BTVrd9LJEzNxost8a3JG2dJ3tdV3BuhiGqkX1hhkuqcWl1TdkXaPvOUxGWdODQve\
                zA3WhSHwVs55famecLOmU5Br5bzD6vrxPIyq+XehIncpLC2DUSS7SsmU0WS2de+wj8hY2oZaZKC3avJwKIk3\
                m+4yyPI2FJBRdJ0hFgtXbXmPlzFT/QSutIP1uC5W1DzJt0d8GGiCRzIdXKtIpCFLjZ0gt9bl8aShj1HFWp76\
                ZDnFmRyN0qqvR1A0UYv/sCoBpfOHyYZkJOshQNCVuksCIXlAb9DjFOYzF4+akI4IW3c2cliJPQQpmPS5jCPu\
                wq5Yn9qIXlBmKxvjqIdCVbDbS7wgrVKkbjUAAAAAAAAAAAAAEPQAWAX4v+//5+KT/fuRUgX+/8c7qi8LkBAD\
                FL9SNVKsTPzub5ciUxfhq2LK4InMkJ/GXCZvzRJAN6XT3KhBMqdb8N4NxILMC0IOr6boOdyN6SdLhX1svFWX\
                NniRwm4joXvjpAOe5bfR9WpuGHfESC9ONBQNGeBTIuGBfXi10uXQJVYouXOS17dvf3/8hb+cZ7GV0OTSQmo2\
                0In3AQ3hIGhe2mc4lBxmhyqNY+PpOzWFLz81i7pLorUjbKaytsRhWd61nnOlY0ttjXqMCGrLAntWC5OSVsRJ\
                rTACehCFIOnKG5LP/cL2OlvWTkOSGU22xRk11JfoheqPYBK0NC/ZivBMlyDuALz0h4WTrNTLRSpu8Q+qV9op\
                vX0TSPZ1iGKnLq50JKJ7t5FBLd758M7Ldf660wtIRWYMZWSQoOHNDl52Xz4xh2BGOuTOnDEr7rP5ZkLc69VZ\
                9DRSt5O5YVE0bJYYqLDtGmSd0c+kkD7L096+prmW9zT06QDdiev2iTDf0gjSCyJVtLaeTCihHkGNh2QYfIQD\
                ewL20ckZjMm2C4OQr0/9J4X2lE3UHqwgksJ41YcPzVfc2BBZNgW4mazVkWINUl7BAVL4YJtB7G2U9Rz1jbBg\
                eqyGDBynzAOdABHNrdQup1etjWRTSnpi95VsXiPab+dRwu8cNTL0GH0Ga2J2eCQ=
                """),
            plain: text(2500) + noise(300) + Data(count: 3000) + text(2500)),
    ]

    #if Compression
        /// `bv41` frames around blocks of Python's lz4 (the second block refers to the first), and
        /// uncompressed bytes.
        static let lz4 = Fixture(
            description: "linked blocks",
            compressed: decoded(
                """
                YnY0MdwFAADuAgAAs2xldmVsIGdhbW1hBgAiCiAUAPMBL3Vzci9zaGFyZSBmYWxzZRcA1HZhbHVlIGtleSB0\
                cnUVAAhAAAc4AENwb3J0VgCScGF0aCBiZXRhNwACUgAHKwACdADRdGltZW91dCBhbHBoYWUAAm8AAh4ABy8A\
                M2tleVkAAnsANGhvczYAQjgwODBlAAZAAAJvAAF/AAIwAAIGAAIXAAR1AAQIAAG2ADJrZXm0AAJ7ABMKiQAE\
                JAABSwABIABRa2V5IAqrAAQcAAGMAAesAAEnAAQdAAFdAAGjAAEKADRkZWxJAAL0AAc4AAKeAAIiAAFUAAFx\
                AQE3AAEPAAEFAAI2AASlAAIIAALdAAIGADIKIAoNAQJOADFrZXmsAALOAAIjAAIGAAI7AAJuABgKhwACHwAB\
                fAABcgACEAACTwAIBgABHQABBQABLAACSgACBgABtAACYQABDQEHXgACiQACSAABJwACEQACBgAC3QAHLgAC\
                fAABKAACCwAHHAABewAGmAECbwACgAABGwAEggECOQACKQAmb3IYAAFWAAEXAAIiAAKDAAGrAQHRAAdrAAKv\
                AAEsAAHQAAIxAAIGAgJ4AAK6AAIMAAIeAAEpADhrZXlbAQFCAASYAAKrAAdmAAG2AAkjAAENAAciAAGYAAJr\
                AAI+AAK0AARSAAIaAAJ/AAIaAAISAAIsAAdIAAIdAAHzAiNvcgoBAQ8BAioAAQQBBy8AAcsAAlcAAZIAASsA\
                ARUAAQUAAZYAARkAAlgABzoABTcEAokABxoAAhEAAWoAAl4BBY4AAQcBAh8AAVUAAV8AA9UCAqAAAjEAB00A\
                AZEAATgAAVEAAqsAATgAAaEAAjAAAQsAM2tleUUAAmIAC6EBATQAMmtleU0AAVcAAk0AAooACa4EASMAAh4A\
                EgrqBBkKOQUCDQIBdgACbAABTwABYgAHuwACGwACBgAEyAEBKQABcgACqwABEAACCwAEIwACDgAC2QCQbGV2\
                ZWwgcG9yYnY0MdwFAACaAgAAE3SBAQLfAQExAQKgAAIuAAGLAAEWAARgAgJAAAQOAAQIAAI0AAIGAAUMAQJl\
                AAIGAAJgAAIhAAGnAAfQAAEQAAJYAAEnAgcbADNrZXnsAQGFAAEqAALoAQIwAAJRAAGmAAJiAAIXAAgjAAIM\
                AAcpAAq0AAxyAAt9AAQNBQEqAgEsAAEKAAcmAARPAAEYAAPWAQcfAAFrBgEcAAKbAAEQAAEFAAFOAAKeAAJt\
                AQHeAAEFAARUAAEjAALZAAQTAAE7AAQNAAI4AAFeAAJnAQYwAQE7AAurAgKCAAEvAAJVAAJAAAFbAQezAAIc\
                AAJRAAFHAAIRAAJDAQGAAAIcAAIXAAIMAAJbAAdFAAFVAAGZAQFDAAcaAAcLAAKAAAcRABMKjwIBNAACWgAy\
                a2V5QwQBGgEBfwACUAcHNwACEQAB2QAHFgABEAABMQABTwACwAABFQAHMAACqAAkb3KgAQEQAAbzAwEvAAc/\
                AAKyAAL6ABMKmwICWQABJQACzwEEnwESCrsDBC4JEgomBQJDAAQ9AAIOAAI/AQGsAAEFAAJTAAJnAAIHAQIG\
                AASPAgEMAQJtAAJBAAE2AAf8AAcLAAJGAAcRAAGqAAI3AAIcAARWAAZNCQIeAAasBgKQAAdEAAGmBQR8BAW4\
                CQI3AAGMAAYFAAIVAAF1AAJOAQbKCAElAAQfAQF6AQEyAgKWAAELAAEiAAJCAAd+AARhAQKXAAI9AQIGAAFi\
                AAYsAQIhAAIGAAE0AQdFAAFgAAJbAAc8AASCAgKEAARpAAc3AAPGAQJkAAImAAHcAAcjAAQ2AATkAQIsAATo\
                AAI0AAKUAAIQCAHlAAG6AALTAQFQAAEVAAIsAAnsAgG3AAaqAQIyAAd9AKBiZXRhIGhvc3QgYnY0LQMAAABl\
                bmRidjQk
                """),
            plain: text(3000) + Data("end".utf8))

        /// Written by Python's zlib without a header.
        static let zlib = Fixture(
            description: "raw deflate",
            compressed: decoded(
                """
                fVZtbioxDPyfU+wN4CfXSdW0VF0EggWpt28zE+OJjaqnt13ib3s82bU92rp81tOpjmdZVpzt7rfr7nas17Z8\
                1PXWxvGjrve2fLefZbve7VDtxe5yvm7j9FK34/LWtkozehRV+tm+Tu1835a6Xo4VQRguZdRFGvR4vpnVYX/Y\
                M4jbMxzCqxWPLaj9RdbdFjkzdBmOTAeuIO+Khf0YMuSiXehqk3OkiLf3tpojZp+6Tg34RFEww0+p2ZLM0yh/\
                /6TjPU9viyrSlNGKpkExfCCitk6fnhN06WnU13NmAJQq3nU+UOMBn6klA0sOK5EhtM9F62FWYwI0pGJ3NE1G\
                IMIUHE1pMh7LWt07y7g6FlmAriB+uA8jPlN9WdCEOtFAXgxF6xmklGg1qpuGAMj3JviDmuhBBHRsIw4J9Z4V\
                BPQb1laSFonsriPVsU6x80dRkCUycTs4FAQjwYE2GwidOOXEBvczOBPcTWOhqSxHobxMxCn4pwHRF6BFEZ8Z\
                mbJOfJ3Bo+HSMiES8xPWwal5ec2HyhLPXmhNSiYRovgt6x3AMCI+EcPCeSp7oyyhKorwiWaFKCRiCG7/fbiR\
                uidKL6k4oAsypoPfTu66bTCdUCMDsiOSzTRSabb363lDJU6COp0OgAR86X0qGbBfiK8z5XvaL1+lfzqcWMbu\
                ULkNeg3eGYTnfRomVdJkfLtlK3Eo+n5hCs585eNSK4eWGYQ+ThtPMSKyuxfJ2P2pd3fEhhKyrpHBURbhNf+m\
                cUbq00IU6AoMv6vSTaofM/7dJrn4QwiJ3XR6g9za44gZGOiv4uHFzuXvjLALyktxM+Ff2z82eCLEEWiCaFqB\
                iHCfv7JtmWz0e8A5Qlgfhwa0mLZPKt2SKBPOfgE=
                """),
            plain: text(3000))

        /// Written by Python's lzma.
        static let lzma = Fixture(
            description: "xz",
            compressed: decoded(
                """
                /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Au3ApBdADYZSzLpIPZ7yBSgJRr30dAMdY1yZcz7I5MtwENeCcJc\
                /UiBR5XSXHX9kpI02BHLYfDt/FL0Cp7UBuCBtuBLSvUBvNIBNcZvWqjniCnuOdUcE6ctmMF3nhstgr2oxYSJ\
                Ljxh6pDk2oBR7EIulUTwywHGWGraAVJJ+uj4WsOuZLN8nG/NJYk0E0xStpztSHY9j7/dY760zJVhhHLwJ2bo\
                ULw5zZM0OR693Ye2256gyv6amz1YtnZwhb9n/XchtxHv6wDSXaXFwbRt7heS4p5V3SZtHJn1mlwvyGfNrU+f\
                YOJyiRFpPpMVr5qKApK5Is2u7ODfkWlSUr+8pRhTdK3HfK6QKIcsGAtMSDlbtND+ifsw8dD+f/3/xUEsmw4P\
                KAPTQ5JefZeLvOhNC7OVB4Cuo2XpVOZ0ZbE9mKM4MgmPaFi1iqDnvTdTLxGn6itU9VFsCBwhdghgsB1zyErG\
                bVWpIxPqAdw81m3f7yawGVdLfWhW6jvWUZIb86MzaDRRgRkMPZDwZZHfbtl2A8KnFJqB+6XlRh2BQnWC9QT0\
                aEQYrjFqXQjkaS6wTrWJpi60f6sjhyzRafMzElWs8tasSa6guRzt5v9Br7xbzJ+ufquuH8pdq+HyzCqhywox\
                FkCgkFjI8J8rhpI1J1VhVajvrXQ02KRCBposaVz+3Jq6Lnm9R0kx5W7PBPYtbtFvCo4Gk3EZO8f+z2Q7vvJr\
                /bBbd5hBJtvhFGVz1qYpUm6tNawn0XkYIYmthTX0X/G/iNOJgyBiB8vy0mtNDZpZdCX51BPDH9iBj/SsJOuf\
                louEXlT/+y98B/XtUV0sikChGPzWSrd0JnZee+qMDsUscSxN8QJQyoy5gqwcbGSA1fx7OBfB2YZ2ADMVvCqo\
                DCL8AAGsBbgXAAC4WcSkscRn+wIAAAAABFla
                """),
            plain: text(3000))
    #endif

    private static func decoded(_ text: String) -> Data {
        guard let data = Data(base64Encoded: text) else { preconditionFailure("a fixture is not base64") }
        return data
    }
}
