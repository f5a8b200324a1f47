"""Who comes in a night: names, roles, and what everybody knows."""

PASSWORD = "a-long-enough-password"
BOOKS = (
    "common/mississippi-stud",
    "diamond-jo-worth/cajun-stud",
    "hollywood-penn-national/cajun-stud",
    "seneca-niagara/caribbean-stud",
    "common/let-it-ride",
    "common/ultimate-texas-holdem",
    "common/crazy-4-poker",
    "common/three-card-poker",
)
"""In some wagers lie equal, are taken back or stand alone, and hands are checked."""
LARGE_WINS = "diamond-jo-worth/cajun-stud"
"""The house of them all that has most to do with a large win: approvals, a payout cap, notices."""
PIT = (
    "dealer",
    "floor-supervisor",
    "shift-manager",
    "director-of-table-games",
    "general-manager",
    "surveillance",
)
FLOOR = {*PIT[1:5]}
CAST: dict[str, tuple[str, ...]] = {
    "admin": ("administrator",),
    "boss": ("administrator", "general-manager"),
    "dora": ("director-of-table-games",),
    "max": ("shift-manager",),
    "mia": ("shift-manager", "player"),
    "flo": ("floor-supervisor",),
    "fay": ("floor-supervisor", "dealer"),
    "dan": ("dealer",),
    "eve": ("dealer",),
    "dov": ("dealer", "player"),
    "sue": ("surveillance",),
    "cay": ("cage",),
    "kit": ("cage", "player"),
    "aud": ("auditor",),
    **dict.fromkeys(("ann", "bob", "cid", "pip", "una", "vic"), ("player",)),
}
"""Named people with the roles that they begin with, and mostly have."""
BUSY = {"administrator", "cage"}
"""Roles that are for more than now and then."""
GUESTS = 8
TABLES = 12
"""More are not opened while so many are open."""
PRIVATE = 5
"""Nor more for practice, but by the floor."""

PAYEE = {
    "name": "A. Winner",
    "address": "1 Main Street",
    "proofs": ["passport 1", "card 2"],
    "residence": "us",
    "tin": "",
    "country": "",
}
"""What anybody's papers say here."""
