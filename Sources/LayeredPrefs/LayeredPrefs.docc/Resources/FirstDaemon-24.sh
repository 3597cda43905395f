prefs set log.level trace -d com.example.myd
