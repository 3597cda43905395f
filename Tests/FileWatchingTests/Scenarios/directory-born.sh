# A drop-in directory that did not exist is created.
# watch: a/f.d
## before
## change
mkdir -p a/f.d
printf new > a/f.d/10.plist
