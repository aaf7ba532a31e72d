"""What the search must know of Fifth Avenue: quick opinions on actions, and the value of positions."""
