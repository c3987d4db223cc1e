"""`cairn demo`: a company with a season behind it, for trying out and for pictures.

Floor 10. Everything goes through the client of the product, as its pages and its worker would have it: nothing is put
into the tables past their rules. Names and addresses say that they are samples, and mail to them reaches nobody.
"""

from cairn.demo.run import SampleAccounts, fill

__all__ = ["SampleAccounts", "fill"]
