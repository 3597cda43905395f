#include <stdatomic.h>
#include <stddef.h>

// Counts what the process allocates: glibc lets a program define these over its own.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long count;

long allocation_count(void) { return atomic_load(&count); }
void *malloc(size_t size) { atomic_fetch_add(&count, 1); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { atomic_fetch_add(&count, 1); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { atomic_fetch_add(&count, 1); return __libc_realloc(old, size); }
