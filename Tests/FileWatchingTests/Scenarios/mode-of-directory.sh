# The permissions of the file's directory are removed and restored.
# watch: d/f
# trace: none
## before
mkdir d
printf old > d/f
## change
chmod 000 d
chmod 755 d
