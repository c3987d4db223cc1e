"""Companies and the people in them.

Floor 6. Profiles and companies are made by the database at sign-up (migration 0005) and edited through the data
service; this room answers who a caller is to the product, and who wants to be told of
what happens.
"""

from cairn.accounts.people import CompanyPerson, Reader, company_person, told_by_email
from cairn.accounts.push import forget_browser, told_by_push

__all__ = ["CompanyPerson", "Reader", "company_person", "forget_browser", "told_by_email", "told_by_push"]
