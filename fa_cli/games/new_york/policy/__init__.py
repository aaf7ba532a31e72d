"""What the search must know of New York: quick opinions on actions, and the value of positions."""
