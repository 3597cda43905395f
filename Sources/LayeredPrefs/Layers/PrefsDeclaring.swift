/// A class that lists the preferences it declares.
public protocol PrefsDeclaring: AnyObject {
    /// Every preference that the class or one of its groups declares, in the order of declaration.
    static var keys: [PrefsKeyDescription] { get }
}
