"""Activities, trips, bookings and check-ins: who takes part, and who is ready.

Companies and booking systems write the tables through the REST service, so nearly all rules are in `sql/`. A guest who
opens the group link of a booking gets a session for it. `readiness.sql` compares what was signed in these sessions
with what the trip needs.
"""

from cairn.trips.settings import TripSettings
from cairn.trips.sweep import sweep

__all__ = ["TripSettings", "sweep"]
