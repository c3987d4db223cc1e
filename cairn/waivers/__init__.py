"""Templates, sessions and signatures: what the product is for.

Floor 8. Opening a session and signing it are inserts whose rules live in the database (migrations 0007 to 0009),
because the browser may write there directly; this room holds what surrounds them: what the signing page shows, and what
follows from a signature.
"""

from cairn.waivers.jobs import jobs
from cairn.waivers.show import show_session, show_template
from cairn.waivers.store import owns_session

__all__ = ["jobs", "owns_session", "show_session", "show_template"]
