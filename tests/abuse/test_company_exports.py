"""7X1: exports of companies do not keep the server from serving others.

7X1 is a finding in docs/security.md.
"""

import httpx

from cairn.db import Connection
from tests.abuse.locked_table import count_waiting_reads
from tests.functions.test_documents import call

EXPORTS_PER_NETWORK_AND_MINUTE = 6
EXPORTS_PER_COMPANY_AND_DAY = 3


async def test_7x1_a_network_can_request_six_exports_of_companies_a_minute(client: httpx.AsyncClient) -> None:
    responses = [await call(client, "rosa", "export-company", {}) for _ in range(EXPORTS_PER_NETWORK_AND_MINUTE + 1)]

    codes = [response.json()["code"] for response in responses[EXPORTS_PER_COMPANY_AND_DAY:]]
    assert codes == ["too_many_company_exports"] * (EXPORTS_PER_NETWORK_AND_MINUTE - EXPORTS_PER_COMPANY_AND_DAY) + [
        "too_many_documents"
    ]


async def test_7x1_a_network_reads_one_part_of_its_exports_at_a_time(
    client: httpx.AsyncClient, admin: Connection
) -> None:
    exports = [call(client, name, "export-company", {}) for name in ("rosa", "mallory")]

    count, responses = await count_waiting_reads(admin, "waiver_template_versions", exports)

    assert count == 1
    assert [response.status_code for response in responses] == [200, 200]
