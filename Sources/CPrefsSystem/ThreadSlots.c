#include "ThreadSlots.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// In C because Swift has no thread-local variables of its own, and pthread_getspecific costs more than all the
// rest of a read.

struct slot {
    uint64_t number;
    uint64_t generation;
    void *object;
};

struct table {
    uint64_t mask;
    void (*release)(void *);
    struct slot slots[];
};

enum { smallest = 16, largest = 4096 };
static const uint64_t place_bits = 0xffff;

static _Thread_local struct table *table;

static pthread_key_t ending;
static bool has_ending;

// The table is gone before anything is released: a deinitializer that reads preferences makes a new one, whose
// turn comes in the next round of destructors.
static void end(void *value) {
    (void)value;
    struct table *ended = table;
    table = NULL;
    if (!ended) return;
    for (uint64_t place = 0; place <= ended->mask; place++) {
        if (ended->slots[place].object) ended->release(ended->slots[place].object);
    }
    free(ended);
}

static void make_ending(void) { has_ending = pthread_key_create(&ending, end) == 0; }

static struct table *make_table(uint64_t size, void (*release)(void *)) {
    struct table *made = calloc(1, sizeof(struct table) + size * sizeof(struct slot));
    if (!made) return NULL;
    made->mask = size - 1;
    made->release = release;
    return made;
}

// The first table of a thread; the value under the key is only there to have the destructor called.
static bool begin(void (*release)(void *)) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_ending);
    if (!has_ending || pthread_setspecific(ending, &ending) != 0) return false;
    table = make_table(smallest, release);
    return table != NULL;
}

// Twice the places: no two objects that had places of their own then want the same one.
static bool grow(void) {
    struct table *grown = make_table((table->mask + 1) * 2, table->release);
    if (!grown) return false;
    for (uint64_t place = 0; place <= table->mask; place++) {
        struct slot slot = table->slots[place];
        grown->slots[slot.number & grown->mask] = slot;
    }
    free(table);
    table = grown;
    return true;
}

// Whether both could be wanted at the same time. Where the places are equal, the earlier number has been retired.
static bool compete(const struct slot *slot, uint64_t number) {
    return slot->object && ((slot->number ^ number) & place_bits) != 0;
}

__attribute__((noinline)) const void *ps_kept(uint64_t number, uint64_t generation) {
    if (!table) return NULL;
    const struct slot *slot = &table->slots[number & table->mask];
    return slot->number == number && slot->generation == generation ? slot->object : NULL;
}

void *ps_keep(uint64_t number, uint64_t generation, void *object, void (*release)(void *)) {
    if (!table && !begin(release)) return object;
    while (compete(&table->slots[number & table->mask], number) && table->mask + 1 < largest && grow()) {}
    struct slot *slot = &table->slots[number & table->mask];
    void *displaced = slot->object;
    *slot = (struct slot){number, generation, object};
    return displaced;
}

void *ps_forget(uint64_t number) {
    if (!table) return NULL;
    struct slot *slot = &table->slots[number & table->mask];
    if (slot->number != number) return NULL;
    void *object = slot->object;
    *slot = (struct slot){0};
    return object;
}
