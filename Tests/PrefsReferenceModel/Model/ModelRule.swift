/// The rules of the specification that the model counts, so that a batch can show that it covers each of
/// them.
///
/// A rule is counted when it is decisive: `maskHidesDropIn` when a mask hides a drop-in that exists.
enum ModelRule: String, Sendable, Hashable, CaseIterable {
    // Keys
    case literalSpelling, literalBeatsNested, literalDictionaryIsEntered, literalJoinsAncestor
    case blockedLiteralIsRejected
    case nonDictionaryIsRejectedBelow, layersMergeByPath, wholeDictionaryReplaces, wholeArrayReplaces
    case fieldsMerge, fieldIsRejectedAlone, structureIsInvalid, fieldIsWritten, fieldIsRemoved
    case fieldStaysInLiteralDictionary
    case declaredDeepMerge, formerNameIsRead, presentNameHidesFormer
    // Order and locations
    case higherLayerShadows, dropInBeatsMain, dropInsInByteOrder, higherDirectoryBeats, maskHidesDropIn
    case dotNameIsIgnored, otherExtensionIsIgnored, defaultIsEffective
    // Rejected values
    case wrongTypeFallsThrough, validatorFallsThrough, violatedGroupIsReported
    case integerIsTakenForReal, realIsRejectedForInteger, stringIsRejectedForInteger, integerIsRejectedForBool
    case textIsParsed, unparsableTextFallsThrough, variableSetsFirstKey, rejectionRecovers,
        uncoveringIsRejected, uncoveringKeepsValue
    // Rejected revisions
    case versionIsRejected, valueIsKept, rejectedVersionIsReportedOnce, rejectedVersionRecovers,
        keptValueRecovers
    case filesAreRejectedTogether, oldProblemRejectsNothing, rejectedBlocksNothingElse, rejectedIsTriedAgain
    case groupRejectsVersion, groupKeepsValue, wrongWriteThrows, writeMendsVersion, keptValueStaysOnWrite
    // Bad files
    case brokenKeepsLastGood, brokenWithoutLastGoodIsEmpty, absentIsEmpty, oneDiagnosticPerBadVersion
    case brokenFileRecovers
    // Locks
    case lockCutsHigherLayers, lockCoversBelow, lockCoversAncestorValue, lockRejectsNonDictionaryAncestor
    case lockCoversFormerName, lowestLockWins, lockBindsOverrides, lockedFallsToDefault
    case unreadableLocksLockWhatIsSet, unreadableLocksKeepLastGood, untrustedLocksDoNotCount
    // Writes
    case writeKeepsLiteral, writeUsesNested, blockedWriteThrows, removalRemovesBoth
    case removalPrunes, typedRemovalRemovesFormer, writeIsEffective, writeIsShadowed, writeIsRejectedByLock
    case writeToLockingLayer, ancestorWriteIsRejectedByLock, writeToBrokenIsRejected,
        writeToReadOnlyIsRejected
    case invalidTypedWriteIsRejected, transactionIsOneCommit
    case transactionIsRejectedWhole, transactionWritesOthers
    // Changes
    case touchIsNoChange, equalRewriteIsNoChange, shadowedChangeIsOnlyAudited, typedEvent, rawEvent
    case ancestorObserverIsNotified, removalShowsBelow, lockChangeIsAnEvent, sameValueOtherOriginIsNoEvent
}

/// Counts the steps in which each rule was decisive.
final class ModelTally {
    private(set) var counts: [ModelRule: Int] = [:]
    private var step: Set<ModelRule> = []

    func hit(_ rule: ModelRule) { step.insert(rule) }

    /// Ends a step; a rule that decided several answers in it counts once.
    func endStep() {
        for rule in step { counts[rule, default: 0] += 1 }
        step = []
    }

    func add(_ other: ModelTally) { counts.merge(other.counts, uniquingKeysWith: +) }

    /// Returns the rules that were hit fewer than `count` times, each with its count.
    func below(_ count: Int) -> [String] {
        ModelRule.allCases.filter { counts[$0, default: 0] < count }
            .map { "\($0.rawValue): \(counts[$0, default: 0])" }
    }
}

/// A mutation of the model's rules. A batch that compares a mutated copy with the model must detect it;
/// otherwise it would not detect the same fault in an engine either.
///
/// The last group contains alternative readings of the specification rather than faults; a world may adopt
/// them.
enum ModelMutation: String, Sendable, Hashable, CaseIterable {
    case nestedBeatsLiteral, literalDictionariesAreClosed, literalsDoNotJoinAncestors
    case nonDictionaryEndsTheSearch
    case dictionariesReplaceInRawReads, declaredDictionariesMerge, arraysMerge, deepMergeIsIgnored
    case formerNamesComeFirst, formerNamesAreIgnored
    case structuresReplace, wrongFieldRejectsStructure, structuresAreWrittenWhole
    case masksAreIgnored, masksHideEverywhere, dotNamesAreRead, dropInsInReverse, mainBeatsDropIns
    case rejectionFallsToDefault, validatorIsIgnored, groupIsIgnored
    case integerIsNotTakenForReal, realIsTakenForInteger, stringIsTakenForInteger, integerIsTakenForBool
    case textIsNotParsed, variableSetsAllKeys
    case nothingIsRejected, eachValueIsRejectedAlone, filesAreRejectedAlone, oldProblemsReject
    case shadowedProblemRejects
    case rejectedBlocksOthers, rejectedIsNotTriedAgain, wrongValueIsWritten, rejectedVersionIsOverwritten
    case brokenIsEmpty, brokenFallsToAbsentLocks, lastGoodLocksAreForgotten, untrustedLocksCount
    case lockIsExact, lockIsTextualPrefix, lockIgnoresAncestors, lockIgnoresFormerNames, highestLockWins
    case lockSparesOverrides, lockExcludesLockingLayer
    case writeIsAlwaysNested, writeIsAlwaysLiteral, removalRemovesOne, removalLeavesEmptyDictionaries
    case shadowedWriteIsEffective, lockedWriteIsTaken, lockingLayerCannotBeWritten, brokenIsOverwritten
    case blockedWriteIsStored, transactionIsPartial, transactionIsSeveralCommits
    case diagnosticsRepeat, recoveryIsSilent
    case touchIsAChange, shadowedChangeIsAnEvent, shadowedChangeIsUnnamed, removalIsSilent, lockChangeIsSilent
    // Alternative readings
    case nonDictionaryAboveLockIsRead
    case typedRemovalSparesFormerNames, environmentDoesNotJoinDictionaries, formerNamesAreReadByLayer
    case deepMergeOmitsDefault, literalDisplacesNonDictionary
}
