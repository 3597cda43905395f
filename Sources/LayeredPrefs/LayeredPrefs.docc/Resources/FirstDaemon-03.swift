import LayeredPrefs
import Logging

extension PersistentKey where Value == Logger.Level {
    static var logLevel: Self { Self("log.level", defaultValue: .info) }
}

extension PersistentKey where Value == Duration {
    static var interval: Self {
        Self("interval", defaultValue: .seconds(2), in: .seconds(1) ... .seconds(60))
    }
}

final class Settings: PrefsDeclaring {
    static let keys = [PrefsKeyDescription(.logLevel), PrefsKeyDescription(.interval)]
}
