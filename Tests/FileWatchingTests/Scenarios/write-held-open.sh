# A logger's way: written, and not closed for long.
## before
printf old > f
## change
( exec 3>> f; printf new >&3; sleep 0.4 ) > /dev/null 2>&1 &
