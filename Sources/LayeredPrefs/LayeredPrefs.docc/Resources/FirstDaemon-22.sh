sudo prefs ps
sudo prefs explain log.level --pid $(pidof myd)
