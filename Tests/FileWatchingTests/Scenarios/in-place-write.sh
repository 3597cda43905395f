# Bytes are overwritten within the file.
## before
printf 'old content' > f
## change
printf new | dd of=f conv=notrunc status=none
