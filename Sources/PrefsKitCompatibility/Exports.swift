@_exported public import Foundation
@_exported public import LayeredPrefs
@_exported public import LayeredPrefsCompression
@_exported public import LayeredPrefsUserDefaults
@_exported public import Observation
