# The permissions of the file are removed and restored.
## before
printf old > f
## change
chmod 000 f
chmod 644 f
