#pragma once
#include <stdint.h>

// A per-thread cache of objects by number and generation. All functions concern the calling thread only.
//
// The lowest 16 bits of a number are its place, which a later number may reuse; the number itself is unique
// in the process, and not 0.

/// An object that a thread keeps.
struct ps_slot {
    uint64_t number;
    uint64_t generation;
    void *_Nullable object;
};

/// The objects that a thread keeps. The lowest bits of a number are the index of its slot.
struct ps_table {
    uint64_t mask;
    void (*_Nonnull release)(void *_Nonnull);
    struct ps_slot slots[];
};

// "initial-exec" saves the call of __tls_get_addr, which costs more than the rest of a read. The pointer fits into the
// space that glibc keeps free for the libraries that a program loads later.
extern _Thread_local struct ps_table *_Nullable ps_table __attribute__((tls_model("initial-exec")));

/// Returns the object that the thread keeps for a number, if it belongs to this generation; otherwise NULL.
///
/// It may be inlined into asynchronous functions, like the function of Synchronization's Mutex for the thread's
/// number: after a suspension, LLVM takes the address of a thread-local variable anew, on whatever thread the
/// function goes on.
static inline const void *_Nullable ps_kept(uint64_t number, uint64_t generation) {
    const struct ps_table *table = ps_table;
    if (!table) return 0;
    const struct ps_slot *slot = &table->slots[number & table->mask];
    return slot->number == number && slot->generation == generation ? slot->object : 0;
}

/// Keeps an object. The thread takes over its reference, and calls `release` with it when the thread ends.
///
/// Returns the object that this one displaces, which the caller has to release; NULL if there is none. Ends the
/// process if there is no memory for the first object of a thread.
void *_Nullable ps_keep(uint64_t number, uint64_t generation, void *_Nonnull object,
                        void (*_Nonnull release)(void *_Nonnull));

/// Stops keeping the object for a number, and returns it for the caller to release; NULL if there is none.
void *_Nullable ps_forget(uint64_t number);
