"""Contains the guests of the sample season and the templates of their waivers. All names and times are invented."""

from datetime import datetime, timedelta
from random import Random

from cairn.kit import frozen_dataclass

# The name of the company marks everything as sample data: it is on every page, in every email and in every document.
COMPANY = "Rio Rafting (sample data)"
OWNER = "Rosa Marín"
TIME_ZONE = "America/Denver"
# The season began this many days ago.
SEASON_DAYS = 150
# The top-level domain is reserved for examples; no mail server accepts it.
DOMAIN = "sample.example"
# The amounts the sample company has paid, oldest first.
PAID_AMOUNTS_CENTS = (750, 975, 1200)


@frozen_dataclass
class SampleTemplate:
    """`content` is Markdown with placeholders such as `[COMPANY NAME]`, which the product fills in."""

    name: str
    description: str
    content: str


@frozen_dataclass
class SampleGuest:
    """A guest with the times of their waiver. `signed_at` is None if the guest has not signed it."""

    name: str
    # An index in TEMPLATES.
    template_index: int
    sent_at: datetime
    reminded_at: tuple[datetime, ...]
    signed_at: datetime | None

    @property
    def email(self) -> str:
        return f"{self.name.replace(' ', '.')}@{DOMAIN}".lower()


_SAMPLE_NOTE = """
---

*This is sample data of `cairn demo`. No one has signed it, and its times are made up.*
"""
TEMPLATES = (
    SampleTemplate(
        "White-water day trip",
        "For the guided descent of the gorge, May to September.",
        """\
# White-water day trip

I, [PARTICIPANT NAME], am taking part in a guided river trip with [COMPANY NAME], and I understand the risks.

## Risks

- Rafts can capsize. I may end up in cold, fast water, and I can swim.
- Rocks, branches and other people's paddles can injure me.
- Help may take an hour to reach us in the gorge.

## My responsibilities

1. I wear the helmet, life vest and wetsuit I am given whenever I am in the boat.
2. I follow the guide's instructions immediately.
3. I have informed [COMPANY NAME] about heart or back problems, allergies and any other medical condition.

**To the extent permitted by law, I accept these risks** and release [COMPANY NAME] from claims that arise from them. \
This does not apply to intent or gross negligence.
"""
        + _SAMPLE_NOTE,
    ),
    SampleTemplate(
        "Kayak rental",
        "Single and double kayaks on the lake, by the hour or the day.",
        """\
# Kayak rental

[COMPANY NAME] rents a kayak, a paddle and a life vest to me, [PARTICIPANT NAME].

- I return them **by the agreed time** and in the same condition; I pay for anything I break or lose.
- I wear the vest on the water, stay within sight of the shore and come in when the red flag is up.
- I have not been drinking, and children under 14 are accompanied by an adult in the same boat.

I know that the lake is deep and cold, and I paddle at my own risk.
"""
        + _SAMPLE_NOTE,
    ),
    SampleTemplate(
        "Night float with fire",
        "A quiet trip: rafting by moonlight, supper on the gravel bank.",
        """\
# Night float with fire

I, [PARTICIPANT NAME], am taking part in a trip at night. I understand that:

- it is dark, the bank is uneven, and I keep my headlamp on;
- there is an open fire and hot food, and I keep my children close to me;
- [COMPANY NAME] may cancel at the last minute if the river rises.

I take part at my own risk, to the extent permitted by law.
"""
        + _SAMPLE_NOTE,
    ),
    SampleTemplate(
        "Pictures from the trip",
        "Permission to publish photos and short videos of the day.",
        """\
# Pictures from the trip

[COMPANY NAME] may publish photos and videos in which I, [PARTICIPANT NAME], can be recognised, on its own website \
and in its own brochures. It does not sell them and does not publish my name.

I can withdraw this permission at any time by writing to [COMPANY NAME]. Brochures that are already printed may \
still be used.
"""
        + _SAMPLE_NOTE,
    ),
)

# The first guest has an account, one waiver to sign and a signed one.
_NAMES = """\
Noor Haddad|Tomas Vega|Ingrid Solheim|Hana Sato|Piotr Zielinski|Amara Diallo|Lukas Brandt|Mei Chen|Jonas Keller
Fatima Benali|Oskar Lind|Priya Nair|Sofia Rossi|Daniel Okoye|Emma Dubois|Mateo Cruz|Yara Silva|Henrik Dahl|Aiko Mori
Samuel Tesfaye|Clara Weber|Ravi Menon|Lina Haas|Bruno Costa|Greta Holm|Kofi Mensah|Alma Nilsen|Viktor Hajek|Zoe Martin
Idris Kaya|Nora Fischer|Pablo Ruiz|Elif Demir|Hugo Meyer|Sara Lund|Grace Miller|Owen Walsh|Leila Karimi|Caleb Turner
Anna Kowalska|Diego Herrera|Megan Price|Tariq Aziz|Julia Novak|Ethan Brooks|Camila Torres|Liam Murphy|Chloe Bennett
Arjun Patel|Isabel Romero|Jack Sullivan|Marta Lopes|Kenji Tanaka|Paige Coleman|Emil Hansen|Ruth Abebe|Felix Wagner
Naomi Clark|Stefan Ilic"""
# Most guests book the day trip.
_TEMPLATE_WEIGHTS = (6, 3, 2, 1)
_SIGN_RATE = 0.85
# The place in the list at which the first guest appears again, with the waiver that they have signed.
_SIGNED_PLACE = 3
_REMINDED_AFTER = (timedelta(days=2), timedelta(days=5), timedelta(days=8))


def guests(now: datetime) -> list[SampleGuest]:
    """Returns all guests; the waiver of the first one was sent last. The result depends only on `now`."""
    random = Random(1)  # noqa: S311 - not used for security
    names = _NAMES.replace("\n", "|").split("|")
    # The first guest gets two waivers: one to sign, and one that they have signed.
    names.insert(_SIGNED_PLACE, names[0])
    return [_guest(random, name, place, len(names) - 1, now) for place, name in enumerate(names)]


def _guest(random: Random, name: str, place: int, last: int, now: datetime) -> SampleGuest:
    """The waiver with the last place is the oldest one. Waivers become more frequent during the season."""
    sent_at = now - timedelta(days=SEASON_DAYS * (place / last) ** 1.5, minutes=random.randint(20, 200))
    if place > _SIGNED_PLACE:
        # Between 8:00 and 17:00 in the time zone of the company.
        sent_at = sent_at.replace(hour=random.randint(15, 23)) - timedelta(days=1)
    [template_index] = random.choices(range(len(TEMPLATES)), _TEMPLATE_WEIGHTS)
    delay = timedelta(minutes=12 if place == _SIGNED_PLACE else min(random.lognormvariate(5.5, 2.2), 60 * 24 * 9))
    is_signed_late = sent_at + delay > now - timedelta(minutes=15)
    signs = place == _SIGNED_PLACE or (place > 0 and random.random() < _SIGN_RATE and not is_signed_late)
    signed_at = sent_at + delay if signs else None
    reminded_at = tuple(sent_at + after for after in _REMINDED_AFTER if sent_at + after < (signed_at or now))
    return SampleGuest(name, template_index, sent_at, reminded_at, signed_at)
