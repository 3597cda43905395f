#pragma once

// What belongs to the calling thread. Swift has no thread-local variables.

// A pointer, NULL at first.
const void *_Nullable ps_call_chain(void);
void ps_set_call_chain(const void *_Nullable chain);

// A number, 0 at first.
int ps_turns(void);
void ps_set_turns(int turns);
