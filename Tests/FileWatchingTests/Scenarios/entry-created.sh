# A file is added to a drop-in directory.
# watch: f.d
## before
mkdir f.d
## change
printf new > f.d/10.plist
