# vim with backupcopy=yes: the old file is copied, then overwritten.
## before
printf old > f
## change
cp f f~
printf new > f
rm f~
