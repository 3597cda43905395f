#pragma once
#include "SystemCalls.h"
#include "ThreadSlots.h"
#include "CallChain.h"
