#include "ThreadSlots.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// Written in C because Swift has no thread-local variables, and pthread_getspecific costs more than the rest
// of a read.

enum { smallest = 16, largest = 4096 };
static const uint64_t place_bits = 0xffff;

_Thread_local struct ps_table *_Nullable ps_table;

static pthread_key_t ending;
static bool has_ending;

// Detaches the table before releasing anything: a deinitializer that reads preferences makes a new table,
// which is destroyed in the next round of destructors.
static void end(void *value) {
    (void)value;
    struct ps_table *ended = ps_table;
    ps_table = NULL;
    if (!ended) return;
    for (uint64_t place = 0; place <= ended->mask; place++) {
        if (ended->slots[place].object) ended->release(ended->slots[place].object);
    }
    free(ended);
}

static void make_ending(void) { has_ending = pthread_key_create(&ending, end) == 0; }

static struct ps_table *make_table(uint64_t size, void (*release)(void *)) {
    struct ps_table *made = calloc(1, sizeof(struct ps_table) + size * sizeof(struct ps_slot));
    if (!made) return NULL;
    made->mask = size - 1;
    made->release = release;
    return made;
}

// Makes the first table of a thread. The key gets a value only because a destructor is not called without one. In
// a program that has used up all keys, the objects of a thread are not released when the thread ends.
static void begin(void (*release)(void *)) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_ending);
    ps_table = make_table(smallest, release);
    if (!ps_table) abort();
    if (has_ending) (void)pthread_setspecific(ending, &ending);
}

// Doubles the table: two objects that had different slots before cannot collide afterwards.
static bool grow(void) {
    struct ps_table *grown = make_table((ps_table->mask + 1) * 2, ps_table->release);
    if (!grown) return false;
    for (uint64_t place = 0; place <= ps_table->mask; place++) {
        struct ps_slot slot = ps_table->slots[place];
        if (slot.object) grown->slots[slot.number & grown->mask] = slot;
    }
    free(ps_table);
    ps_table = grown;
    return true;
}

// Returns true if both objects may be in use at the same time. If their 16-bit places are equal, the earlier
// number has been retired.
static bool compete(const struct ps_slot *slot, uint64_t number) {
    return slot->object && ((slot->number ^ number) & place_bits) != 0;
}

void *ps_keep(uint64_t number, uint64_t generation, void *object, void (*release)(void *)) {
    if (!ps_table) begin(release);
    while (compete(&ps_table->slots[number & ps_table->mask], number) && ps_table->mask + 1 < largest && grow()) {
    }
    struct ps_slot *slot = &ps_table->slots[number & ps_table->mask];
    void *displaced = slot->object;
    *slot = (struct ps_slot){number, generation, object};
    return displaced;
}

void *ps_forget(uint64_t number) {
    if (!ps_table) return NULL;
    struct ps_slot *slot = &ps_table->slots[number & ps_table->mask];
    if (slot->number != number) return NULL;
    void *object = slot->object;
    *slot = (struct ps_slot){0};
    return object;
}
