# Spaces, quotes and letters beyond ASCII.
# watch: a b/ü"'f
## before
mkdir 'a b'
## change
printf new > 'a b/ü"'"'f"
