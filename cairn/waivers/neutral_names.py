"""Names in the emails of a company that has not confirmed its address.

Anyone can create such a company, so it must not be able to send a text of its own to strangers. A template with the
name "INVOICE 4411: call +1 888 555 0100" would do exactly that, so its emails contain neutral names instead.
"""

# A SQL condition for a row `s` of waivers.sessions: the name of its template is that of a sample, so it is ours.
HAS_SAMPLE_NAME = """exists (select from public.waiver_templates t
                       where t.id = s.template_id and t.company_id is null and t.name = s.template_name)"""
NEUTRAL_TEMPLATE_NAME = "Activity Waiver"


def neutral_template_name(name: str, *, is_sample_name: bool) -> str:
    """Keeps the name of a sample, because we wrote it. `is_sample_name` is False if the company chose the name."""
    return name if is_sample_name else NEUTRAL_TEMPLATE_NAME
