myd schema | sudo tee /usr/local/share/prefs/schemas/com.example.myd.schema.json
