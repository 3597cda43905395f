prefs set interval 5 -d com.example.myd
