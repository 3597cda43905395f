# A log file: written, and held open for a while.
## before
printf old > f
## change
( exec 3>> f; printf new >&3; sleep 0.4 ) > /dev/null 2>&1 &
