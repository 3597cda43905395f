#pragma once
#if __has_include(<plist/plist.h>)
#include <plist/plist.h>
#else
#error "install libplist's headers: apt-get install libplist-dev"
#endif
