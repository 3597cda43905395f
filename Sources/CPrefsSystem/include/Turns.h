#pragma once

// A number that belongs to the calling thread, 0 at first. Swift has no thread-local variables.
int ps_turns(void);
void ps_set_turns(int turns);
