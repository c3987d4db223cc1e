"""Companies and the people in them.

Floor 6. Profiles and companies are made by the database at sign-up (migration 0005) and edited through the data
service; this room answers who a caller is to the product.
"""

from cairn.accounts.people import CompanyPerson, company_person

__all__ = ["CompanyPerson", "company_person"]
