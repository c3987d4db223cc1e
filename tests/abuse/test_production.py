"""M9: a server with a public site address refuses the payment sandbox, loopback redirects and development settings.

M9 is a finding in docs/security.md.
"""

from pathlib import Path

import pytest

from cairn.production import unsafe_settings
from cairn.settings import load_settings
from tests.serving import free_port, run_cairn

PUBLIC = {"CAIRN_AUTH__SITE_URL": "https://waivers.example.com"}
STRIPE = {"CAIRN_BILLING__STRIPE__SECRET_KEY": "sk_live_x", "CAIRN_BILLING__STRIPE__WEBHOOK_SECRET": "whsec_x"}
FOR_DEVELOPMENT = {
    "CAIRN_AUTH__URI_ALLOW_LIST": '["https://partner.example/**", "http://localhost:*/welcome", "http://127.0.0.1/**"]',
    "CAIRN_AUTH__MAILER_AUTOCONFIRM": "true",
    "CAIRN_AUTH__SMS_AUTOCONFIRM": "true",
    "CAIRN_REST__PLANS": "true",
}


@pytest.mark.accept("SAFE-24")
def test_m9_a_public_server_prints_one_line_for_each_refused_setting(tmp_path: Path) -> None:
    result = run_cairn("serve", "--data", tmp_path, "--port", str(free_port()), **PUBLIC, **FOR_DEVELOPMENT)

    lines = result.stderr.splitlines()
    assert result.returncode == 1
    assert [line for line in lines if not line.startswith("cairn: ")] == []
    assert len(lines) == 6
    assert "CAIRN_BILLING__ALLOW_SANDBOX=true for a demonstration" in lines[0]
    assert "http://localhost:*/welcome" in lines[1]
    assert "http://127.0.0.1/**" in lines[2]
    for line, name in zip(lines[3:], list(FOR_DEVELOPMENT)[1:], strict=True):
        assert name in line


@pytest.mark.parametrize(
    ("settings", "refused_count"),
    [
        ({}, 0),
        (FOR_DEVELOPMENT, 0),
        ({**FOR_DEVELOPMENT, "CAIRN_AUTH__SITE_URL": "https://localhost:8443"}, 0),
        ({**FOR_DEVELOPMENT, "CAIRN_AUTH__SITE_URL": "http://192.168.1.7:8000"}, 0),
        ({**PUBLIC, **STRIPE}, 0),
        ({**PUBLIC, "CAIRN_BILLING__ALLOW_SANDBOX": "true"}, 0),
        (PUBLIC, 1),
        ({"CAIRN_AUTH__SITE_URL": "https://203.0.113.9"}, 1),
        ({**PUBLIC, **STRIPE, **FOR_DEVELOPMENT}, 5),
    ],
)
def test_m9_only_a_public_server_refuses_development_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], refused_count: int
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    assert len(list(unsafe_settings(load_settings(data=tmp_path)))) == refused_count
