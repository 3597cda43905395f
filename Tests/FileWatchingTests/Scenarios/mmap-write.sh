# A store through a mapping, which is then unmapped and closed.
# needs: python3
## before
printf 'old content' > f
## change
python3 -c '
import mmap
with open("f", "r+b") as f, mmap.mmap(f.fileno(), 0) as m:
    m[0:3] = b"new"
'
