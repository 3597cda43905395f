import Glibc

/// A deliberate fault of the engine, which the random traces of `Scripts/check mutants` have to detect.
///
/// This file and the patches beside it are not part of the package: the script adds them to a copy of the
/// sources. In that copy, the environment variable `MUTANT` selects a fault by its name.
public enum Mutant: String, CaseIterable, Sendable {
    // Order, files and names.

    /// Composes the layers in reverse order.
    case layersReversed
    /// Ignores the literal spelling of a path.
    case literalSpellingIgnored
    /// Reads the nested spelling of a path even if there is a literal one.
    case nestedSpellingRead
    /// Reads a literal key even if a value on its path is not a dictionary.
    case blockedLiteralRead
    /// Ignores former names.
    case formerNamesIgnored
    /// Reads drop-ins in reverse order.
    case dropInsReversed
    /// Reads drop-ins whose names begin with a dot.
    case hiddenDropInsRead
    /// Does not apply masks to lower folders.
    case masksIgnored
    /// Merges dictionaries from below to above.
    case mergesReversed
    /// Reads a variable that sets a key declared earlier.
    case takenVariableRead
    /// Reports the position of the dictionary as the key's position.
    case positionOfDictionary

    // Rejected values and broken files.

    /// Discards the last good contents of a broken file.
    case brokenFileEmptied
    /// Does not report the recovery of a file.
    case recoverySilent
    /// Reports a rejected value at every commit.
    case rejectionsRepeated

    // Locks.

    /// Removes the locking layer itself.
    case lockingLayerRemoved
    /// Applies a lock only to its own key.
    case lockWithoutDescendants
    /// Applies the highest lock instead of the lowest.
    case highestLockApplied
    /// Ignores locks within a dictionary.
    case innerLocksIgnored
    /// Applies a lock below a former name only under that name.
    case lockOnFormerNameOnly
    /// Allows a write above a lock.
    case writeAboveLockAllowed

    // Writes.

    /// Writes the nested spelling even if the file has the literal one.
    case nestedSpellingWritten
    /// Does not check whether another value blocks a write.
    case blockedWriteStored
    /// Leaves the literal spelling when removing.
    case literalSpellingKept
    /// Reports a shadowed write as effective.
    case shadowedWriteEffective
    /// Performs the other writes of a rejected transaction even if the caller did not ask for them.
    case transactionPartial

    // Rejection.

    /// Rejects everything new for a problem of one layer.
    case rejectedBlocksOthers
    /// Accepts a layer of files that adds a problem.
    case rejectedLayerAccepted
    /// Rejects an edit for a problem that was there before.
    case oldProblemsReject
    case shadowedProblemRejects
    case uncoveringAllowed
    /// Keeps an active value even if a lock excludes it.
    case rejectionIgnoresLocks
    /// Makes the newest value active instead of a kept one.
    case keptValuesForgotten
    /// Keeps the active value even if a write by the program replaces it.
    case keptValueSurvivesWrite
    /// Reports a problem of a rejected revision at each decision.
    case rejectionRepeated
    /// Does not report that a rejected revision has become active.
    case rejectionRecoveryUnreported

    // Changes.

    /// Notifies an observer even if its value is unchanged.
    case unchangedValueNotified
    /// Does not report the removal of a file as a change.
    case removedFileUnnoticed
    /// Does not report changed locks as changes.
    case changedLocksUnnoticed
    /// Reports the values of other layers below a change as changed.
    case shadowedKeysExaggerated
    /// Does not report a lock that starts to apply to a key.
    case newLockUnnoticed
    /// Reports the violation of a rule over several keys at each decision.
    case violationRepeated

    // Structs.

    /// Gives a struct only the fields of its topmost layer, and the default's fields.
    case lowerFieldsIgnored
    /// Does not complete a struct with the fields of its default.
    case defaultFieldsOmitted
    /// Merges the fields of a struct from below to above.
    case lowestFieldWins
    /// Merges a field that is a dictionary with the layers below.
    case wholeFieldsMerged
    /// Rejects all fields of a layer if one field is wrong.
    case wrongFieldRejectsStruct
    /// Rejects the lowest layer's field instead of the wrong one.
    case lowestWrongFieldRejected
    /// Rejects the topmost layer of a struct that a lower one makes invalid.
    case highestInvalidStructRejected
    /// Writes a locked field of a struct.
    case fieldLocksIgnored
    /// Writes even fields that the layers below already give the same value.
    case unchangedFieldsWritten
    /// Leaves a field in a layer when it is set to the value of the layers below.
    case fieldEqualToLowerKept
    /// Writes a field beside the literal dictionary that contains its struct.
    case fieldsWrittenBesideLiteral
    /// Treats fields under a former name as fields that need not be written.
    case formerFieldsForgotten

    /// The mutant that the environment selects.
    public static let selected: Mutant? = {
        guard let name = unsafe getenv("MUTANT"), unsafe name.pointee != 0 else { return nil }
        let text = unsafe String(cString: name)
        guard let mutant = Mutant(rawValue: text) else { preconditionFailure("no mutant \(text)") }
        return mutant
    }()

    /// Returns true if the environment selects this mutant.
    @inlinable public static func isActive(_ mutant: Mutant) -> Bool { selected == mutant }
}
