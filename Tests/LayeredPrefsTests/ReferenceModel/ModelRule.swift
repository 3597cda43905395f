/// The rules of the DESIGN that the model counts, so that a batch can show that it reached each of them.
///
/// A rule is hit when it decides something: `maskHidesDropIn` when a mask hides a drop-in that exists.
enum ModelRule: String, Sendable, Hashable, CaseIterable {
    // Keys
    case literalSpelling, literalBeatsNested, mixtureIsNotRead, literalJoinsAncestor
    case nonDictionaryIsRejectedBeneath, layersMergeByPath, wholeDictionaryReplaces, wholeArrayReplaces
    case declaredDeepMerge, formerNameIsRead, presentNameHidesFormer
    // Order and places
    case higherLayerShadows, dropInBeatsMain, dropInsInByteOrder, higherDirectoryBeats, maskHidesDropIn
    case dotNameIsIgnored, otherExtensionIsIgnored, defaultIsInForce
    // Wrong values
    case wrongTypeFallsThrough, validatorFallsThrough, groupIsRefusedTogether, groupRefusesSeveral
    case integerIsTakenForReal, realIsRefusedForInteger, stringIsRefusedForInteger, integerIsRefusedForBool
    case textIsParsed, unparsableTextFallsThrough, environmentCollisionDisables, rejectionRecovers
    // Bad files
    case brokenKeepsLastGood, brokenWithoutLastGoodIsEmpty, absentIsEmpty, oneDiagnosticPerBadVersion
    case brokenFileRecovers
    // Locks
    case lockCutsHigherLayers, lockCoversBeneath, lockCoversAncestorValue, lockRefusesNonDictionaryAncestor
    case lockCoversFormerName, lowestLockWins, lockBindsOverrides, lockedFallsToDefault
    case unreadableLocksLockWhatIsSet, unreadableLocksKeepLastGood, untrustedLocksDoNotCount
    // Writes
    case writeKeepsLiteral, writeUsesNested, writeIsLiteralWhereNestedIsBlocked, removalRemovesBoth
    case removalPrunes, typedRemovalRemovesFormer, writeIsEffective, writeIsShadowed, writeIsRefusedByLock
    case writeToLockingLayer, ancestorWriteIsRefusedByLock, writeToBrokenIsRefused, writeToReadOnlyIsRefused
    case invalidTypedWriteIsRefused, writtenValueIsRejected, transactionIsOneCommit
    case transactionIsRefusedWhole, transactionWritesOthers
    // Changes
    case touchIsNoChange, equalRewriteIsNoChange, shadowedChangeIsOnlyAudited, typedEvent, rawEvent
    case ancestorObserverHears, removalShowsBeneath, lockChangeIsAnEvent, sameValueOtherOriginIsNoEvent
}

/// Counts in how many steps each rule decided something.
final class ModelTally {
    private(set) var counts: [ModelRule: Int] = [:]
    private var step: Set<ModelRule> = []

    func hit(_ rule: ModelRule) { step.insert(rule) }

    /// Ends a step: a rule that decided several answers in it counts once.
    func endStep() {
        for rule in step { counts[rule, default: 0] += 1 }
        step = []
    }

    func add(_ other: ModelTally) { counts.merge(other.counts, uniquingKeysWith: +) }

    /// The rules hit fewer than `count` times, each with its count.
    func below(_ count: Int) -> [String] {
        ModelRule.allCases.filter { counts[$0, default: 0] < count }
            .map { "\($0.rawValue): \(counts[$0, default: 0])" }
    }
}

/// A deviation from the rules, planted into a copy of the model: a batch that compares the copy with the
/// model must notice it, or the batch would not notice it in an engine either.
///
/// Those of the last group are other readings of the DESIGN rather than faults; a world may be told to follow
/// them.
enum ModelTwist: String, Sendable, Hashable, CaseIterable {
    case nestedBeatsLiteral, mixturesAreRead, literalsDoNotJoinAncestors, nonDictionaryEndsTheSearch
    case dictionariesReplaceInRawReads, declaredDictionariesMerge, arraysMerge, deepMergeIsIgnored
    case formerNamesComeFirst, formerNamesAreIgnored
    case masksAreIgnored, masksHideEverywhere, dotNamesAreRead, dropInsInReverse, mainBeatsDropIns
    case rejectionFallsToDefault, validatorIsIgnored, groupIsIgnored, groupRefusesOne
    case integerIsNotTakenForReal, realIsTakenForInteger, stringIsTakenForInteger, integerIsTakenForBool
    case textIsNotParsed, collisionsAreIgnored
    case brokenIsEmpty, brokenFallsToAbsentLocks, lastGoodLocksAreForgotten, untrustedLocksCount
    case lockIsExact, lockIsTextualPrefix, lockIgnoresAncestors, lockIgnoresFormerNames, highestLockWins
    case lockSparesOverrides, lockExcludesLockingLayer
    case writeIsAlwaysNested, writeIsAlwaysLiteral, removalRemovesOne, removalLeavesEmptyDictionaries
    case shadowedWriteIsEffective, lockedWriteIsTaken, lockingLayerCannotBeWritten, brokenIsOverwritten
    case transactionIsPartial, transactionIsSeveralCommits
    case diagnosticsRepeat, recoveryIsSilent
    case touchIsAChange, shadowedChangeIsAnEvent, shadowedChangeIsUnnamed, removalIsSilent, lockChangeIsSilent
    // Other readings
    case barredWriteIsRefused, groupsRefuseWholeLayers, nonDictionaryAboveLockIsRead
    case typedRemovalSparesFormerNames, environmentDoesNotJoinDictionaries, formerNamesAreReadBySource
    case deepMergeOmitsDefault, literalDisplacesNonDictionary
}
