"""The page on which a round is put right: who may look, and who is told what was asked for."""

import re
from typing import Any

from tests.web.conftest import Staff
from tests.web.open_house import Answer, Caller
from tests.web.pages.test_people import see, words

CAJUN = "diamond-jo-worth/cajun-stud"


def plain(page: Answer) -> str:
    """What a page says, without its marks."""
    return " ".join(re.sub(r"<[^>]*>", "", page.raw.decode()).split())


def test_r53__what_was_asked_for_is_shown_to_who_may_agree_and_nothing_to_who_plays(
    staff: Staff,
) -> None:
    dan, flo = staff("dan-r53", "dealer"), staff("flo-r53", "floor-supervisor")
    mia, sue = staff("mia-r53", "shift-manager", "player"), staff("sue-r53", "surveillance")
    table = flo.open(CAJUN, practice=False, dealing="entered")

    def do(who: Caller, action: str, **more: Any) -> None:
        answer = who.do(table, action, **more)
        assert answer.status == 200, answer

    do(dan, "start-dealing")
    do(flo, "bring-cards", colours=["red"])
    do(dan, "inspect-cards", role="dealer")
    do(flo, "inspect-cards", role="floor-supervisor")
    for action in ("wash-cards", "shuffle-cards"):
        do(dan, action)
    do(dan, "seat-patron", seat=1, cash_cents=50_00)
    sells = {"action": "sell-chips", "cents": 100_00, "why": "cash"}
    cay = staff("cay-r53", "cage")
    assert cay("POST", "/api/people/mia-r53", {"key": "k", "command": sells}).status == 200
    do(mia, "sit", seat=2)
    do(dan, "open-betting")
    for seat in (1, 2):
        do(dan, "bet", seat=seat, wagers={"ante": 5_00})
    do(dan, "close-bets")
    do(dan, "deal", cards=["Ah", "Kh", "2c", "3d"])
    right = [{"seat": 1, "cards": [None, "7h"]}]
    do(dan, "correct", role="dealer", why="the second is the 7h", seats=right)
    path = f"/floor/{table}/correct"
    assert "he second is the 7h" in words(see(flo, path))
    looked = words(see(sue, path))
    assert "What lay on the table" in looked
    assert "7h" not in looked
    # What they would try themselves is neither done nor refused: both tell where a card lies.
    for tried in ("?2.cards=Ah+3d", "?2.cards=9h+3d", "?2.cards=nonsense"):
        assert words(see(sue, f"{path}{tried}")) == looked
    poor = see(flo, f"{path}?1.wager.ante=60")
    assert (poor.status, "$10 too little lies before seat 1" in words(poor)) == (409, True)
    [field] = re.findall(r'<input[^>]*name="([^"]+)"[^>]*aria-invalid', poor.raw.decode())
    assert field == "1.wager.ante"
    assert see(flo, f"{path}?2.cards=Ah+3d").status == 409, "who may agree is told"
    # What is refused there would tell who plays where a card lies.
    for asked in ("", "?2.cards=Kh+3d"):
        answer = see(mia, f"{path}{asked}")
        assert (answer.status, "7h" in words(answer)) == (409, False)


def test_r54__who_turns_out_to_have_played_finds_the_round_among_theirs(staff: Staff) -> None:
    """A bet that was entered for the wrong seat: both are told what the round came to for them."""
    dan, flo = staff("dan-r54", "dealer"), staff("flo-r54", "floor-supervisor")
    sam, sue = staff("sam-r54", "shift-manager"), staff("sue-r54", "surveillance")
    amy, ben, cay = staff("amy-r54", "player"), staff("ben-r54", "player"), staff("cay-r54", "cage")
    table = flo.open(CAJUN, practice=False, dealing="entered")

    def do(who: Caller, action: str, **more: Any) -> None:
        answer = who.do(table, action, **more)
        assert answer.status == 200, answer

    for seat, who in enumerate((amy, ben), start=1):
        sells = {"action": "sell-chips", "cents": 100_00, "why": "cash"}
        assert cay("POST", f"/api/people/{who.person}", {"key": cay.key(), "command": sells}).raw
        do(who, "sit", seat=seat)
    do(dan, "start-dealing")
    do(flo, "bring-cards", colours=["red"])
    do(dan, "inspect-cards", role="dealer")
    do(flo, "inspect-cards", role="floor-supervisor")
    for action in ("wash-cards", "shuffle-cards", "open-betting"):
        do(dan, action)
    do(dan, "bet", seat=1, wagers={"ante": 5_00})
    do(dan, "close-bets")
    do(dan, "deal", cards=["Ah", "Kh"])
    for card in ("2c", "7d", "Kd"):
        do(dan, "raise", seat=1, times=1)
        do(dan, "deal", cards=[card])
    do(dan, "turn")
    do(dan, "pay")
    played = {"wagers": {"ante": 5_00}, "cards": ["Ah", "Kh"], "decisions": [1, 1, 1]}
    right = [{"seat": 1, "wagers": {}}, {"seat": 2, **played}]
    assert "round 1" not in plain(see(ben, "/rounds"))
    for who, role in ((sam, "shift-manager"), (sue, "surveillance")):
        do(who, "correct-paid", role=role, why="it was seat 2", seats=right, round=1)
    for who, first, now in ((amy, "+$20", "$0"), (ben, "$0", "+$20")):
        path = f"/rounds/{table}-1"
        last = max(map(int, re.findall(r"\?step=(\d+)", words(see(who, path)))))
        told = plain(see(who, f"{path}?step={last}"))
        assert f"The receipt put right: {now}" in told
        assert f"Your receipt: {now} as it was put right; first paid as below, {first}" in told
        assert "round 1" in plain(see(who, "/rounds"))
        assert who("GET", "/rounds.csv").status == 200
    # She has what she was paid, which is a claim; and he what he ought to have been.
    assert [who("GET", "/api/me").json["chips_cents"] for who in (amy, ben)] == [120_00, 120_00]
