#include <stdlib.h>

// Limits how many tests run at a time, also for a plain `swift test`. Without a limit all tests start at once. On a slow
// machine a task of one test then waits for minutes behind all others, and what the product reports after ten seconds is
// reported. Swift Testing reads the variable when its run begins.
__attribute__((constructor)) static void limit_parallel_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "64", 0);
}
