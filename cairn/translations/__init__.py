"""Keeps the texts that people read in emails, text messages and server-rendered pages in a message catalogue.

The code contains the English text, marked with `text` or `plural`. `make texts` collects these texts in `messages.pot`,
a gettext template that the tools of translators read. A translation is a file such as `de.po` beside it. Dates and
plurals follow the rules of the language (CLDR).
"""

from cairn.translations.catalogue import in_language
from cairn.translations.dates import spoken_date, spoken_time
from cairn.translations.text import Plural, Text, plural, text

__all__ = ["Plural", "Text", "in_language", "plural", "spoken_date", "spoken_time", "text"]
