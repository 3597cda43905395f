# vim with backupcopy=no: the old file is moved away, a new one written.
## before
printf old > f
## change
mv f f~
printf new > f
rm f~
