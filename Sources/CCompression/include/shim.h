#pragma once
#if __has_include(<zlib.h>) && __has_include(<lzma.h>) && __has_include(<lz4.h>)
#include <lz4.h>
#include <lzma.h>
#include <zlib.h>
#else
#error "zlib, liblzma or liblz4 is missing: apt-get install zlib1g-dev liblzma-dev liblz4-dev"
#endif
