#if os(Linux) && InotifyTools
#endif
