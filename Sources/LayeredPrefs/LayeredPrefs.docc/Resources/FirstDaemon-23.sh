sudo prefs lock log.level -d com.example.myd
