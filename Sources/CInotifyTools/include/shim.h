#pragma once
#if __has_include(<inotifytools/inotifytools.h>)
#include <inotifytools/inotifytools.h>
#include <inotifytools/inotify.h>
#else
#error "libinotifytools is missing: apt-get install libinotifytools-dev (Debian 12: libinotifytools0-dev)"
#endif
