import pytest

from cairn.inquiries import FormIncomplete, Inquiry, Kind, parse_inquiry

COMPLETE = {
    "name": "Gil Okafor",
    "email": "gil@example.com",
    "company": "Rio Rafting",
    "message": "Do you ship paddles?",
}


def test_a_complete_form_becomes_an_inquiry() -> None:
    inquiry = parse_inquiry(
        "contact", {**COMPLETE, "name": "  Gil \r\n Okafor ", "message": "One\r\n\r\nTwo\x00 ", "more": "x"}
    )

    assert inquiry == Inquiry("contact", "Gil Okafor", "gil@example.com", "Rio Rafting", "", "One\n\nTwo")


@pytest.mark.parametrize(
    ("kind", "fields", "problems"),
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
        ("contact", {**COMPLETE, "message": " \n "}, {"message": "Please write your message"}),
        ("contact", {**COMPLETE, "email": "gil"}, {"email": "Please enter an email address we can answer to"}),
        ("contact", {**COMPLETE, "email": "gil@a\n.com"}, {"email": "Please enter an email address we can answer to"}),
        ("contact", {**COMPLETE, "name": "x" * 201}, {"name": "Please use at most 200 characters"}),
        ("contact", {**COMPLETE, "message": "x" * 5001}, {"message": "Please use at most 5000 characters"}),
        ("demo", {**COMPLETE, "company": ""}, {"company": "Please enter the name of your business"}),
        ("demo", {**COMPLETE, "phone": "1" * 41}, {"phone": "Please use at most 40 characters"}),
    ],
)
def test_problems_are_reported_per_field(kind: Kind, fields: dict[str, str], problems: dict[str, str]) -> None:
    with pytest.raises(FormIncomplete) as error:
        parse_inquiry(kind, fields)

    assert error.value.fields == problems


def test_a_demo_request_needs_no_message() -> None:
    assert parse_inquiry("demo", {**COMPLETE, "message": ""}).message == ""
