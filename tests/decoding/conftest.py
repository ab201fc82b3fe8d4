"""Token tables of the tests are kept in a folder of their own."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def table_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINGALA_CACHE", str(tmp_path_factory.mktemp("tables")))
        yield
