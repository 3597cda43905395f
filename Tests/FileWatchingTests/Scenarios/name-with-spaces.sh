# Spaces, quotes and non-ASCII letters in the path.
# watch: a b/ü"'f
## before
mkdir 'a b'
## change
printf new > 'a b/ü"'"'f"
