# A file is removed from a drop-in directory.
# watch: f.d
## before
mkdir f.d
printf new > f.d/10.plist
## change
rm f.d/10.plist
