#include "CommitLocks.h"

static _Thread_local int held;

int ps_commit_locks(void) { return held; }

void ps_set_commit_locks(int number) { held = number; }
