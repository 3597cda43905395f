#include "CallChain.h"
#include <stddef.h>

static _Thread_local const void *present;

const void *ps_call_chain(void) { return present; }

void ps_set_call_chain(const void *chain) { present = chain; }
