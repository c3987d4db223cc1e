"""Prints each failure when it happens, because a run of all tests takes long and prints its failures at the end."""

import pytest

# What is printed for each outcome. The second one is an outcome of pytest-rerunfailures.
_PRINTED = {"failed": "failed", "rerun": "is repeated, because the host took the processors away"}


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist prints nothing
        config.pluginmanager.register(ImmediateFailures(config), "immediate failures")


class ImmediateFailures:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.outcome in _PRINTED and terminal is not None:
            terminal.write_line(f"\n{report.nodeid} {_PRINTED[report.outcome]}: {_message(report)}")


def _message(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).strip().split("\n")[0][:200]
