# A drop-in is renamed to another position in the order.
# watch: f.d
## before
mkdir f.d
printf new > f.d/10.plist
## change
mv f.d/10.plist f.d/20.plist
