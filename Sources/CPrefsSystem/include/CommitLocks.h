#pragma once

// The number of commit locks that the calling thread holds. Swift has no thread-local variables.
int ps_commit_locks(void);
void ps_set_commit_locks(int number);
