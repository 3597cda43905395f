# ln -f: the new name appears complete.
## before
printf old > f
printf new > g
## change
ln -f g f
