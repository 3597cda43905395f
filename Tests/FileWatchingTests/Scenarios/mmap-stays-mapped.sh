# A store through a mapping that stays mapped: no inotify event at all.
# needs: python3
# seen by: poll
## before
printf 'old content' > f
## change
python3 -c '
import mmap, time
f = open("f", "r+b")
m = mmap.mmap(f.fileno(), 0)
f.close()
m[0:3] = b"new"
m.flush()
time.sleep(0.6)
' > /dev/null 2>&1 &
sleep 0.2
