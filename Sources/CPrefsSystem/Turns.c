#include "Turns.h"

static _Thread_local int turns;

int ps_turns(void) { return turns; }

void ps_set_turns(int number) { turns = number; }
