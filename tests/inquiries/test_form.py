import pytest

from cairn.inquiries import FormIncomplete, Inquiry, Kind, read_form

WHOLE = {"name": "Gil Okafor", "email": "gil@example.com", "company": "Rio Rafting", "message": "Do you ship paddles?"}


def test_a_whole_form_becomes_an_inquiry() -> None:
    inquiry = read_form(
        "contact", {**WHOLE, "name": "  Gil \r\n Okafor ", "message": "One\r\n\r\nTwo\x00 ", "more": "x"}
    )

    assert inquiry == Inquiry("contact", "Gil Okafor", "gil@example.com", "Rio Rafting", "", "One\n\nTwo")


@pytest.mark.parametrize(
    ("kind", "typed", "problems"),
    [
        (
            "contact",
            {},
            {
                "name": "Please enter your name",
                "email": "Please enter your email",
                "message": "Please write your message",
            },
        ),
        ("contact", {**WHOLE, "message": " \n "}, {"message": "Please write your message"}),
        ("contact", {**WHOLE, "email": "gil"}, {"email": "Please enter an email address we can answer to"}),
        ("contact", {**WHOLE, "email": "gil@a\n.com"}, {"email": "Please enter an email address we can answer to"}),
        ("contact", {**WHOLE, "name": "x" * 201}, {"name": "Please use at most 200 characters"}),
        ("contact", {**WHOLE, "message": "x" * 5001}, {"message": "Please use at most 5000 characters"}),
        ("demo", {**WHOLE, "company": ""}, {"company": "Please enter the name of your business"}),
        ("demo", {**WHOLE, "phone": "1" * 41}, {"phone": "Please use at most 40 characters"}),
    ],
)
def test_what_is_wrong_is_told_field_by_field(kind: Kind, typed: dict[str, str], problems: dict[str, str]) -> None:
    with pytest.raises(FormIncomplete) as refused:
        read_form(kind, typed)

    assert refused.value.fields == problems


def test_a_demo_can_be_asked_for_without_a_word() -> None:
    assert read_form("demo", {**WHOLE, "message": ""}).message == ""
