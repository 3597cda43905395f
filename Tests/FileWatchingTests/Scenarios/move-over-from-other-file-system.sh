# mv between file systems copies.
# needs: /dev/shm
## before
printf old > f
## change
new=$(mktemp /dev/shm/file-watching.XXXXXX)
printf new > "$new"
mv "$new" f
