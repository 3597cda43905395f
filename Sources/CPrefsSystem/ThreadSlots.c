#include "ThreadSlots.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// Written in C because Swift has no thread-local variables, and pthread_getspecific costs more than the rest
// of a read.

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

// Detaches the table before releasing anything: a deinitializer that reads preferences makes a new table,
// which is destroyed in the next round of destructors.
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

// Makes the first table of a thread. The value stored under the key only causes the destructor to be called.
static bool begin(void (*release)(void *)) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_ending);
    if (!has_ending || pthread_setspecific(ending, &ending) != 0) return false;
    table = make_table(smallest, release);
    return table != NULL;
}

// Doubles the table: two objects that had different slots before cannot collide afterwards.
static bool grow(void) {
    struct table *grown = make_table((table->mask + 1) * 2, table->release);
    if (!grown) return false;
    for (uint64_t place = 0; place <= table->mask; place++) {
        struct slot slot = table->slots[place];
        if (slot.object) grown->slots[slot.number & grown->mask] = slot;
    }
    free(table);
    table = grown;
    return true;
}

// Returns true if both objects may be in use at the same time. If their 16-bit places are equal, the earlier
// number has been retired.
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
