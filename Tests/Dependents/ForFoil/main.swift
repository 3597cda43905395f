import FoilCompatibility

final class AppSettings {
    @FoilDefaultStorage(key: "flagEnabled") var flagEnabled = true
    @FoilDefaultStorageOptional(key: "timestamp") var timestamp: Date?
}

let settings = AppSettings()
settings.flagEnabled = false
precondition(AppSettings().flagEnabled == false && settings.timestamp == nil)
