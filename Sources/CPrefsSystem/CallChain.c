#include "CallChain.h"
#include <stddef.h>

static _Thread_local const void *present;
static _Thread_local int turns;

const void *ps_call_chain(void) { return present; }

void ps_set_call_chain(const void *chain) { present = chain; }

int ps_turns(void) { return turns; }

void ps_set_turns(int number) { turns = number; }
