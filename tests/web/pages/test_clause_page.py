"""What a clause costs, asked for by hand, of a game that takes minutes to change."""

from tests.web.open_house import Visited

SLOW = "/clause/pennsylvania/ultimate-texas-holdem-a?clause="


def test_a_slow_game_hands_on_a_command_that_a_shell_takes(house: Visited) -> None:
    page = house.caller()("GET", f"{SLOW}653a.12(b)").raw.decode()
    assert "rules cost pennsylvania/ultimate-texas-holdem-a &#39;653a.12(b)&#39;</code>" in page


def test_a_clause_that_is_not_cited_is_not_found_whatever_the_game(house: Visited) -> None:
    for game in (SLOW, "/clause/common/mississippi-stud?clause="):
        answer = house.caller()("GET", f"{game}Z.9")
        assert answer.status == 404
        assert "cite no clause &#39;Z.9&#39;" in answer.raw.decode()
