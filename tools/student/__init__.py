"""How the student learned: `make student` trains its networks again, from seeds, into bots/student."""
