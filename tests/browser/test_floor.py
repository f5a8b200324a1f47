"""What the pit does on the floor page, by plain forms and without a browser."""

import html
import re

from pitboss.house.people.persons import Role
from tests.browser.scenes import payoff
from tests.browser.test_forms import Forms
from tests.browser.visitors import PASSWORD, Site
from tests.web.open_house import Caller

RULES = "/rules/diamond-jo-worth/cajun-stud"


def signed_in(site: Site, name: str, *roles: Role) -> Forms:
    """Somebody whose browser has no scripts."""
    if roles:
        return Forms(site.person(name, *roles))
    return Forms(Caller(site.address).login(name, PASSWORD))


def looks(forms: Forms, path: str = "/floor") -> str:
    """The page as it is sent."""
    answer = forms.send("GET", path)
    assert answer.status == 200, answer
    return answer.raw.decode()


def plain(page: str) -> str:
    """The words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def links(page: str) -> dict[str, tuple[str, str]]:
    """Each code that is a link: where it leads, and the sentence that goes with it."""
    found = re.findall(r'<a href="([^"]*#[^"]*)" title="([^"]*)">([^<]*)</a>', page)
    return {code: (html.unescape(to), html.unescape(says)) for to, says, code in found}


def test_a_clause_on_the_floor_is_a_link_to_its_sentence_on_the_rule_card(site: Site) -> None:
    table = payoff(site, site.person("pip", "player"))
    flo = signed_in(site, "flo")
    only_the_manager = {"do": "misdeal", "cause": "integrity", "round": "1"}
    refused = flo.raw(f"/floor/{table}", only_the_manager).raw.decode()
    alert = re.findall(r'role="alert">(.*?)</p>', refused, re.DOTALL)[0]
    says = "The shift manager finds that the game's integrity was compromised."
    found = links(alert)
    assert found["L.1.f"] == (f"{RULES}#L.1.f", f"{says} Called by the shift manager.")
    card = looks(flo, RULES)
    for code, (to, _) in found.items():
        assert to == f"{RULES}#{code}"
        assert f'id="{code}"' in card
