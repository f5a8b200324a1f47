"""What the house has won today, on the floor's page."""

import re
from pathlib import Path

import pytest

from pitboss.web.pages import house_win
from tests.web.conftest import PASSWORD, Staff
from tests.web.open_house import thread


def test_a_day_that_is_longer_than_what_is_counted_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with thread(tmp_path) as house:
        admin = house.caller()
        first = {"name": "admin", "password": house.secret, "new": PASSWORD}
        assert admin("POST", "/api/password", first).status == 204
        staff = Staff(house, admin.login("admin", PASSWORD))
        boss, lou, cage = staff("meg", "shift-manager"), staff("lou", "player"), staff("cy", "cage")
        selling = {"action": "sell-chips", "cents": 1_000_00, "why": "at the window"}
        asked = {"key": "s", "command": selling}
        assert cage("POST", "/api/people/lou", asked).status == 200
        table = boss.open(practice=False, betting_seconds=600, decision_seconds=600)
        assert lou.do(table, "sit", seat=1).status == 200
        for _ in range(3):
            assert lou.do(table, "bet", seat=1, wagers={"ante": 5_00}).status == 200
            assert lou.do(table, "fold", seat=1, confirmed=True).status == 200

        def page() -> str:
            cookie = {"Authorization": "", "Cookie": f"pitboss={boss.token}"}
            return boss("GET", "/floor/win", headers=cookie).raw.decode()

        assert re.search(r">3 rounds, 3 hands", page())
        assert "only the last rounds" not in page()
        monkeypatch.setattr(house_win, "MOST_A_TABLE", 2)
        assert re.search(r">the last 2 rounds, 2 hands", page())
        assert "only the last rounds" in page()
