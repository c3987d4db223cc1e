"""Compares the flags of the browser tests with those of Playwright."""

import re
from pathlib import Path

import playwright

from tests.e2e.conftest import DISABLED_FEATURES

PLAYWRIGHT_SCRIPT = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "coreBundle.js"


def test_the_browser_tests_disable_every_feature_that_playwright_disables() -> None:
    lists = re.findall(r"disabledFeatures = \[(.*?)\]", PLAYWRIGHT_SCRIPT.read_text("utf-8"), re.DOTALL)
    features = {name for text in lists for name in re.findall(r'^\s*"(\w+)",?$', text, re.MULTILINE)}

    assert "OptimizationHints" in features
    assert features <= set(DISABLED_FEATURES)
