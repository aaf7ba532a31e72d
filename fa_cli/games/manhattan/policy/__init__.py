"""What the search must know of Manhattan: quick opinions on actions, and the value of positions."""
