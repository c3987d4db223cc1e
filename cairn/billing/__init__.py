"""What the service costs, and the trial before that.

Floor 7. The trial's rule and record are in the database (migration 0026), where every sign-in meets them and nobody can
write them from outside; the browser reads `trials` and shows what it says.
"""
