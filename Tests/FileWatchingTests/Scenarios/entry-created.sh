# A drop-in directory gets a file.
# watch: f.d
## before
mkdir f.d
## change
printf new > f.d/10.plist
