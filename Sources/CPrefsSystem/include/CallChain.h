#pragma once

// A pointer of the calling thread, NULL at first. Swift has no thread-local variables.

const void *_Nullable ps_call_chain(void);
void ps_set_call_chain(const void *_Nullable chain);
