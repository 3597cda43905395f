// Declares nothing: what this module does, it does before `main`.
