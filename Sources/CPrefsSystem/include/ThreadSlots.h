#pragma once
#include <stdint.h>

// Objects that a thread keeps for itself, by number and generation. All of it concerns the calling thread only.
//
// The lowest 16 bits of a number are its place, which a later number may have after it; the number itself is
// unique in the process, and not 0.

/// What the thread keeps for a number, if it is of this generation.
const void *_Nullable ps_kept(uint64_t number, uint64_t generation);

/// Keeps an object, whose reference the thread takes over and calls `release` with when it ends.
///
/// Returns what the caller has to release instead: the object that had to make way, or this one where there is
/// no memory to keep it.
void *_Nullable ps_keep(uint64_t number, uint64_t generation, void *_Nonnull object,
                        void (*_Nonnull release)(void *_Nonnull));

/// Returns what the thread kept for a number, for the caller to release.
void *_Nullable ps_forget(uint64_t number);
