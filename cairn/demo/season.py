"""Who came and what they were asked to sign. All of it invented, and marked as such."""

from dataclasses import dataclass

COMPANY = "Rio Rafting (sample company)"
OWNER = "Rosa Marín (sample)"
# Reserved for examples: no mail server anywhere takes it.
DOMAIN = "sample.example"
# What the sample company has paid, the oldest first.
PAID_CENTS = (750, 975, 1200)


@dataclass(frozen=True, slots=True)
class SampleTemplate:
    name: str
    description: str
    content: str


@dataclass(frozen=True, slots=True)
class SampleGuest:
    first: str
    last: str
    template: int
    """Which of the templates they were sent."""
    days_ago: int
    signs: bool

    @property
    def name(self) -> str:
        return f"{self.first} {self.last} (sample)"

    @property
    def email(self) -> str:
        plain = self.first.encode("ascii", "ignore").decode().lower()
        return f"{plain}.{self.last.encode('ascii', 'ignore').decode().lower()}@{DOMAIN}"


TEMPLATES = (
    SampleTemplate(
        "White-water day trip",
        "For the guided descent of the gorge, May to September.",
        """\
# White-water day trip

I, [PARTICIPANT NAME], want to go down the river with [COMPANY NAME], and I know what that is like.

## What can happen

- Rafts tip over. I may find myself in cold, fast water, and I can swim.
- Rocks, branches and other people's paddles can hurt me.
- Help may take an hour to reach us in the gorge.

## What I do for it

1. I wear the helmet, the vest and the suit I am given, from the first step into the boat to the last one out.
2. I do what the guide says, at once, and ask afterwards.
3. I have told [COMPANY NAME] about my heart, my back, my allergies and anything else that matters out there.

**As far as the law allows, I take these risks as mine** and make no claim against [COMPANY NAME] for what comes of \
them. For harm done on purpose or by gross negligence this does not hold.
""",
    ),
    SampleTemplate(
        "Kayak rental",
        "Single and double kayaks on the lake, by the hour or the day.",
        """\
# Kayak rental

[COMPANY NAME] lends me, [PARTICIPANT NAME], a kayak, a paddle and a vest.

- I bring them back **by the agreed hour** and as I got them; what I break or lose I pay for.
- I wear the vest on the water, stay within sight of the shore and come in when the flag is red.
- I have had nothing to drink, and nobody under 14 goes out without a grown-up in the same boat.

I know that the lake is deep and cold, and that I go out at my own risk.
""",
    ),
    SampleTemplate(
        "Night float with fire",
        "The quiet one: rafts by moonlight, supper on the gravel bank.",
        """\
# Night float with fire

I, [PARTICIPANT NAME], go along at night. That means:

- it is dark, the bank is uneven, and my lamp stays on my head;
- there is an open fire and hot food, and I keep children at my hand;
- [COMPANY NAME] may call it off up to the last minute when the river rises.

I take part at my own risk, as far as the law allows.
""",
    ),
    SampleTemplate(
        "Pictures from the trip",
        "May we show you? Photographs and short films of the day.",
        """\
# Pictures from the trip

[COMPANY NAME] may show pictures and films in which I, [PARTICIPANT NAME], can be recognised, on its own pages and in \
its own leaflets. It does not sell them and does not name me.

I can take this back at any time by writing to [COMPANY NAME]; what is printed by then is used up.
""",
    ),
)

# First name, last name, which template, how many days ago, whether they sign.
_CAME = """\
Noor Haddad 3 0 no|Tomas Vega 0 0 yes|Ingrid Solheim 3 0 no|Noor Haddad 0 0 yes|Hana Sato 0 0 yes
Piotr Zielinski 1 0 yes|Amara Diallo 0 1 no|Lukas Brandt 1 1 yes|Mei Chen 0 1 yes
Jonas Keller 2 1 no|Fatima Benali 0 2 yes|Oskar Lind 0 2 yes|Priya Nair 2 2 yes|Sofia Rossi 0 3 no
Daniel Okoye 1 3 yes|Emma Dubois 0 3 yes|Mateo Cruz 0 4 yes|Yara Silva 3 4 no
Henrik Dahl 0 5 yes|Aiko Mori 0 5 yes|Samuel Tesfaye 1 6 yes
Clara Weber 0 6 no|Ravi Menon 2 7 yes|Lina Haas 0 8 yes|Bruno Costa 0 9 no|Greta Holm 1 10 yes
Kofi Mensah 0 12 yes|Alma Nilsen 0 14 no|Viktor Hajek 2 15 yes|Zoe Martin 0 17 yes|Idris Kaya 1 19 no
Nora Fischer 0 22 yes|Pablo Ruiz 0 24 no|Elif Demir 0 34 no|Hugo Meyer 1 38 no|Sara Lund 0 41 no"""


def guests() -> list[SampleGuest]:
    """The newest first."""
    came = [line.split() for line in _CAME.replace("\n", "|").split("|")]
    return [
        SampleGuest(first, last, int(template), int(days), signs == "yes")
        for first, last, template, days, signs in came
    ]
