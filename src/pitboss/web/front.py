"""What a person sees who opens the house's address in a browser: one small page to read."""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape

from pitboss.money import text
from pitboss.rulebook import ids
from pitboss.web.routes import Lobby

MOST = 50
"""Tables that are listed; the API has them all."""

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
       color: #1b1b1b; background: #fdfcf8; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2rem; font-size: 1.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ccc; }
code, pre { background: #efece2; padding: .1rem .3rem; border-radius: .2rem; }
pre { padding: .6rem .8rem; overflow-x: auto; } a { color: #0b5d3b; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #16211c; } code, pre { background: #24332c; }
  a { color: #8fd6b1; }
}
"""

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()

POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""Nothing is loaded, and no script runs."""


def page(address: str, tables: Sequence[Lobby]) -> str:
    """Return the page."""
    where = escape(address.rstrip("/"))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pitboss</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Pitboss</h1>
<p>House-banked stud poker, as the casino's own rules document says. This house is open. Its tables
are played through its API for now; pages to play at come next.</p>
<h2>Open tables</h2>
{_tables(tables)}
<h2>Play</h2>
<p>In a terminal, alone, with play chips:</p>
<pre>./pit play</pre>
<p>A crowd of bots at tables of this house:</p>
<pre>./pit bots --url {where} --rulebook {ids()[0]}</pre>
<p>From a program: <code>POST /api/guests</code> lets you in with play chips, and
<code>docs/api.md</code> goes on from there to a hand.</p>
<h2>Look</h2>
<ul>
<li><a href="/openapi.json">/openapi.json</a>: every route, for programs</li>
<li><a href="/api/rulebooks">/api/rulebooks</a>: the games that are dealt here</li>
<li><a href="/api/tables">/api/tables</a>: the open tables</li>
<li><a href="/health">/health</a> and <a href="/metrics">/metrics</a>: how the house is doing</li>
</ul>
<p>Read with Pitboss: <code>README.md</code>, <code>docs/api.md</code>,
<code>docs/operations.md</code>, <code>docs/promises.md</code>, <code>docs/fair.md</code>.</p>
</body>
</html>
"""


def _tables(tables: Sequence[Lobby]) -> str:
    if not tables:
        return "<p>None at the moment. Anybody may open a practice table.</p>"
    rows = "\n".join(map(_row, tables[:MOST]))
    more = len(tables) - MOST
    rest = f"<p>And {more:,} more.</p>" if more > 0 else ""
    return f"""<table>
<thead><tr><th>table</th><th>game</th><th>house</th><th>limits</th><th>seats taken</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
{rest}"""


def _row(table: Lobby) -> str:
    most = f" to {text(table.maximum_cents)}" if table.maximum_cents is not None else " and up"
    practice = ", play chips" if table.practice else ""
    cells = (
        table.table,
        table.game,
        table.house,
        f"{text(table.minimum_cents)}{most}{practice}",
        f"{table.taken} of {table.seats}",
    )
    return "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in cells) + "</tr>"
