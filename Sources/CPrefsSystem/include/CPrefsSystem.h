#pragma once
#include "SystemCalls.h"
#include "ThreadSlots.h"
#include "CommitLocks.h"
