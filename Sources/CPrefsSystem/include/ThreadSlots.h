#pragma once
#include <stdint.h>

// A per-thread cache of objects by number and generation. All functions concern the calling thread only.
//
// The lowest 16 bits of a number are its place, which a later number may reuse; the number itself is unique
// in the process, and not 0.

/// Returns the object the thread keeps for a number, if it belongs to this generation; otherwise NULL.
const void *_Nullable ps_kept(uint64_t number, uint64_t generation);

/// Keeps an object. The thread takes over its reference and calls `release` with it when the thread ends.
///
/// Returns the object that the caller has to release: the one displaced by this one (NULL if none), or this
/// one if there is no memory to keep it.
void *_Nullable ps_keep(uint64_t number, uint64_t generation, void *_Nonnull object,
                        void (*_Nonnull release)(void *_Nonnull));

/// Stops keeping the object for a number and returns it for the caller to release; NULL if there is none.
void *_Nullable ps_forget(uint64_t number);
