from tests.accounts.conftest import auth_settings, house

__all__ = ["auth_settings", "house"]
