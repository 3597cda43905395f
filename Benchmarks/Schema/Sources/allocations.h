/// How often this process has called malloc, calloc and realloc.
long allocation_count(void);
