"""Contains the guests of the sample season and the templates of their waivers. All names are invented."""

from cairn.kit import frozen_dataclass

COMPANY = "Rio Rafting (sample company)"
OWNER = "Rosa Marín (sample)"
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
    first_name: str
    last_name: str
    # An index of TEMPLATES.
    template_index: int
    days_ago: int
    signs: bool

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name} (sample)"

    @property
    def email(self) -> str:
        return f"{self.first_name}.{self.last_name}@{DOMAIN}".lower()


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
""",
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
""",
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
""",
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
""",
    ),
)

# Each entry has five parts: first name, last name, index of the template, how many days ago the waiver was sent, and
# whether the guest signs it.
_GUESTS = """\
Noor Haddad 3 0 no|Tomas Vega 0 0 yes|Ingrid Solheim 3 0 no|Noor Haddad 0 0 yes|Hana Sato 0 0 yes
Piotr Zielinski 1 0 yes|Amara Diallo 0 1 no|Lukas Brandt 1 1 yes|Mei Chen 0 1 yes
Jonas Keller 2 1 no|Fatima Benali 0 2 yes|Oskar Lind 0 2 yes|Priya Nair 2 2 yes|Sofia Rossi 0 3 no
Daniel Okoye 1 3 yes|Emma Dubois 0 3 yes|Mateo Cruz 0 4 yes|Yara Silva 3 4 no
Henrik Dahl 0 5 yes|Aiko Mori 0 5 yes|Samuel Tesfaye 1 6 yes
Clara Weber 0 6 no|Ravi Menon 2 7 yes|Lina Haas 0 8 yes|Bruno Costa 0 9 no|Greta Holm 1 10 yes
Kofi Mensah 0 12 yes|Alma Nilsen 0 14 no|Viktor Hajek 2 15 yes|Zoe Martin 0 17 yes|Idris Kaya 1 19 no
Nora Fischer 0 22 yes|Pablo Ruiz 0 24 no|Elif Demir 0 34 no|Hugo Meyer 1 38 no|Sara Lund 0 41 no"""


def guests() -> list[SampleGuest]:
    """Returns all guests. The waiver of the first one was sent last."""
    rows = [line.split() for line in _GUESTS.replace("\n", "|").split("|")]
    return [
        SampleGuest(first_name, last_name, int(index), int(days), signs == "yes")
        for first_name, last_name, index, days, signs in rows
    ]
