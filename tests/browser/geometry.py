"""What makes a page ugly, found by geometry: overlaps, cut words, small buttons, side scrolling."""

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

P = ParamSpec("P")
T = TypeVar("T")

SIZES = ((1440, 900), (1366, 657), (1024, 768), (768, 1024), (390, 844), (844, 390), (320, 568))
"""Of windows: everything needed next is in sight in each."""

UGLY = r"""
() => {
    const found = [];
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const tell = (what, ...several) => found.push([what, ...several.map(name)].join(' | '));
    // Nothing moves while it is looked at: what is asked of a part once holds for the whole look.
    const once = (ask) => {
        const known = new Map();
        return (each) => known.get(each) ?? (known.set(each, ask(each)), known.get(each));
    };
    const box = once((each) => each.getBoundingClientRect());
    const name = (each) => typeof each === 'string' ? each : [
        each.tagName.toLowerCase(), each.id && '#' + each.id,
        typeof each.className === 'string' && each.className.trim() ? '.' +
            each.className.trim().replace(/\s+/g, '.') : '',
        ' ', (each.dataset?.key ?? ''), ' "', each.textContent.trim().slice(0, 30), '" ',
        JSON.stringify(['left', 'top', 'right', 'bottom'].map((s) => Math.round(box(each)[s]))),
    ].join('');

    // Side scrolling
    const [root, main] = [document.scrollingElement, document.querySelector('main')];
    const wide = main.scrollWidth > main.clientWidth ? main : root;
    if (wide.scrollWidth > (wide === main ? main.clientWidth : innerWidth)) {
        const out = all('body *').filter((each) => box(each).right > innerWidth + 1);
        tell(`the page scrolls sideways: ${wide.scrollWidth} in ${innerWidth}`,
            ...out.slice(-1));
    }

    // What can be seen
    const hidden = once((each) => {
        const style = getComputedStyle(each);
        return style.visibility === 'hidden' || style.clipPath === 'inset(50%)';
    });
    const shown = once((each) => {
        if (!each.checkVisibility()) return false;
        for (let up = each; up && up !== document.body; up = up.parentElement)
            if (hidden(up)) return false;
        return true;
    });
    const seen = once((each) => box(each).width && box(each).height && shown(each));
    const meet = (a, b, by) => a.left + by < b.right && b.left + by < a.right
        && a.top + by < b.bottom && b.top + by < a.bottom;

    // Words: none over another, none cut off
    const words = (root) => {
        const several = [];
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node; (node = walk.nextNode());) {
            // Words are seen also where their box has no room at all: they stick out of it.
            if (!node.data.trim() || !shown(node.parentElement)) continue;
            if (node.parentElement.closest('option, meter, script, svg')) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const rect of range.getClientRects())
                if (rect.width > 1) several.push([node.parentElement, rect]);
        }
        return several;
    };
    const scrolls = (each) => each.closest('#log, .log ol, .side');
    const clips = once((each) => getComputedStyle(each).overflowX !== 'visible'
        && !each.matches('.felt'));
    const roomOf = once((each) => each.closest('small.takes') ?? each.closest(
        'button, .button, .plate, .worth, .spot, .place, .meter, .field, .choice, '
        + 'td, th, .seat, .pile, summary, .wrong, .payoff, .game:is(li), .panel, '
        + '.hands > li, .payoffs li'));
    const layer = once((each) => each.closest('.doing, small.takes'));
    for (const part of all('.bar, .felt, .panel, .receipt, .side, .sheet, .lobby, .rulecard')) {
        const told = words(part).filter(([each]) => !scrolls(each)
            && each.closest('.bar, .felt, .panel, .receipt, .side, .sheet, .lobby, .rulecard')
                === part);
        for (const [each, rect] of told) {
            const within = roomOf(each);
            const room = within && box(within);
            if (room && (rect.left < room.left - 1.5 || rect.right > room.right + 1.5
                    || rect.top < room.top - 2 || rect.bottom > room.bottom + 2))
                tell('words stick out', each, within);
            for (let up = each; up !== part.parentElement; up = up.parentElement) {
                if (!clips(up)) continue;
                const clip = box(up);
                if (rect.left < clip.left - 1 || rect.right > clip.right + 1
                        || rect.top < clip.top - 1 || rect.bottom > clip.bottom + 1)
                    tell('words are cut', each, up);
            }
        }
        for (const each of all('[role=status]', part).filter(seen))  // its last lines are left out
            if (each.scrollHeight > each.clientHeight + 8) tell('words are cut', each);
        told.sort(([, a], [, b]) => a.top - b.top);
        for (const [index, [each, rect]] of told.entries())
            for (let next = index + 1; next < told.length; next++) {
                const [other, over] = told[next];
                if (over.top >= rect.bottom) break;  // nor does any that begins further down
                if (each !== other && layer(each) === layer(other)
                        && meet(rect, over, Math.min(rect.height, over.height) / 6))
                    tell('words over words', each, other);
            }
    }

    const extent = once((each) => {
        if (!each.matches('p')) return box(each);
        const told = words(each).map(([, rect]) => rect);
        return Object.fromEntries([['left', Math.min], ['top', Math.min], ['right', Math.max],
            ['bottom', Math.max]].map(([side, of]) => [side, of(...told.map((r) => r[side]))]));
    });

    // The felt: seats, piles, your cards and wagers apart from each other
    const felt = document.querySelector('.felt');
    const parts = '.card, .worth, .plate, .spot, button, .chip';
    if (felt) {
        const groups = [
            ...all('.head > *', felt).map((each) => [each]),
            ...all('.pile', felt).map((each) => all('.card, p', each)),
            ...all('.seat', felt).map((each) => all('.card, .worth, .plate, button, .chip', each)),
            ...all('.yours .held', felt).map((each) => all('.card, p', each)),
            ...all('.yours .outcome', felt).map((each) => [each]),
            ...all('.yours .spot', felt).map((each) => [each]),
        ].map((several) => several.filter((each) => seen(each) && (each.textContent.trim()
            || each.matches('.card, .spot, .chip'))));
        for (const [index, group] of groups.entries())
            for (const other of groups.slice(index + 1))
                for (const a of group)
                    for (const b of other)
                        if (meet(extent(a), extent(b), 3)) tell('one lies on the other', a, b);
        for (const several of all('.pile, .held', felt))
            for (const each of all('p', several).filter((p) => seen(p) && p.textContent.trim()))
                for (const card of all('.card', several))
                    if (meet(extent(each), box(card), 3)) tell('a card hides words', each);
        for (const spot of all('.yours .spot', felt)) {
            const label = spot.querySelector('.label');
            for (const each of all('.stack, .worth, .tag', spot))
                if (seen(each) && meet(box(label), box(each), 2)) tell('chips hide a label', each);
            for (const each of all('.stack, .worth, .tag', spot).filter(seen)) {
                const [inner, outer] = [box(each), box(spot)];
                if (inner.left < outer.left - 1 || inner.right > outer.right + 1
                    || inner.bottom > outer.bottom + 1) tell('chips stick out of a spot', each);
            }
            const circles = all('.ghost', spot).filter(seen);
            for (const [index, each] of circles.entries()) {
                const [inner, outer] = [box(each), box(spot)];
                if (inner.left < outer.left || inner.right > outer.right
                    || inner.bottom > outer.bottom) tell('a circle sticks out of its spot', each);
                if (meet(box(label), inner, 0)) tell('a circle hides a label', each);
                for (const other of circles.slice(index + 1))
                    if (meet(inner, box(other), -1)) tell('circles touch', each, other);
            }
        }

        // Nothing outside of its rounded edge
        const style = getComputedStyle(felt), edge = box(felt);
        const rail = parseFloat(style.borderLeftWidth);
        const inside = { left: edge.left + rail, right: edge.right - rail,
            top: edge.top + rail, bottom: edge.bottom - rail };
        const corner = (which) => style[which].split(' ').map(parseFloat)
            .concat(parseFloat(style[which])).slice(0, 2).map((each) => Math.max(0, each - rail));
        const round = { tl: corner('borderTopLeftRadius'), tr: corner('borderTopRightRadius'),
            bl: corner('borderBottomLeftRadius'), br: corner('borderBottomRightRadius') };
        const outside = (x, y) => {
            const [left, right] = [x - inside.left, inside.right - x];
            const [top, bottom] = [y - inside.top, inside.bottom - y];
            if (Math.min(left, right, top, bottom) < -1) return true;
            for (const [key, dx, dy] of [['tl', left, top], ['tr', right, top],
                ['bl', left, bottom], ['br', right, bottom]]) {
                const [rx, ry] = round[key];
                if (dx < rx && dy < ry && ((rx - dx) / rx) ** 2 + ((ry - dy) / ry) ** 2 > 1.01)
                    return true;
            }
            return false;
        };
        const told = '.label, .says, .game, .posted, .outcome .net, small.takes';
        for (const each of all(`${parts}, ${told}`, felt)) {
            if (!seen(each) || !each.matches('.card, .chip, .spot') && !each.textContent.trim())
                continue;
            const { left, right, top, bottom } = extent(each);
            if ([[left, top], [right, top], [left, bottom], [right, bottom]]
                .some(([x, y]) => outside(x, y))) tell('the edge of the felt cuts it', each);
        }
    }

    // Large enough to be hit
    for (const each of all('button, .button, select, input:not([type=hidden]), summary')) {
        if (!seen(each)) continue;
        const { width, height } = each.type === 'radio' ? box(each.parentElement) : box(each);
        if (Math.min(width, height) < 24) tell('too small to hit', each);
        if (innerWidth < 500 && each.matches('.go, .decide button') && height < 44)
            tell('too low for a thumb', each);
    }
    return [...new Set(found)];
}
"""


BROKEN = r"""
() => [...document.querySelectorAll(
    '.label, .plate, .seated span, h1, h2, th, button')].flatMap((each) => {
    const found = [], walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());)
        for (const { 0: word, index } of node.data.matchAll(/\p{L}+/gu)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            const tops = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
            if (tops.size > 1) found.push(`a word is broken | ${word}`);
        }
    return found;
})
"""
"""Words that go on in the next line without a hyphen: in the page's own letters there are none."""

WIDE = base64.b64encode((Path(__file__).parent / "wide.woff2").read_bytes()).decode()
"""Letters as wide as the widest that a machine may have; from ``tools/fonts.py``."""

WIDEN = """
async (letters) => {
    if (![...document.fonts].some(({ family }) => family === 'Wide')) {
        const bytes = Uint8Array.from(atob(letters), (each) => each.charCodeAt(0));
        document.fonts.add(await new FontFace('Wide', bytes, { weight: '400 700' }).load());
    }
    for (const each of ['--sans', '--serif'])
        document.documentElement.style.setProperty(each, 'Wide');
}
"""

NARROW = "document.documentElement.removeAttribute('style')"

LOOK = f"""
async (letters) => {{
    await document.fonts.ready;
    const large = parseFloat(getComputedStyle(document.documentElement).fontSize) > 16;
    const found = [...({UGLY})(), ...(large ? [] : ({BROKEN})())];
    await ({WIDEN})(letters);
    const wide = ({UGLY})().map((each) => `in wide letters ${{each}}`);
    {NARROW};
    return [...found, ...wide];
}}
"""
"""All that is ugly in the page's own letters, and in wide ones: at once, so that the page is laid
out in those but never drawn."""


@contextmanager
def wide_letters(page: "Page") -> Iterator[None]:
    """What a page must also hold: letters of a machine that does not get, or take, the page's."""
    page.evaluate(WIDEN, WIDE)
    yield
    page.evaluate(NARROW)


def at_rest(look: "Callable[Concatenate[Page, P], T]") -> "Callable[Concatenate[Page, P], T]":
    """Have a look at a page that has come: a click's may have only begun to, or come meanwhile."""

    @wraps(look)
    def looked(page: "Page", /, *args: P.args, **kwargs: P.kwargs) -> T:
        from playwright.sync_api import Error

        for _ in range(2):
            page.wait_for_load_state()
            try:
                return look(page, *args, **kwargs)
            except Error:  # what was looked at went: looked at is what came
                page.wait_for_timeout(250)
        page.wait_for_load_state()
        return look(page, *args, **kwargs)

    return looked


@at_rest
def handsome(page: "Page", what: str) -> None:
    """See that nothing on the page lies over anything else, is cut off or too small."""
    found = page.evaluate(LOOK, WIDE)
    assert not found, f"{what}:\n" + "\n".join(found)


def at_width(page: "Page", width: int, height: int = 800) -> None:
    """Make the window this wide, unless it is."""
    wanted: ViewportSize = {"width": width, "height": height}
    if page.viewport_size != wanted:
        page.set_viewport_size(wanted)


def box(page: "Page", selector: str) -> tuple[int, int, int, int]:
    """Where something lies in the window: left, right, top, bottom."""
    left, right, top, bottom = page.evaluate(
        """selector => {
            const { left, right, top, bottom } =
                document.querySelector(selector).getBoundingClientRect();
            return [left, right, top, bottom].map(Math.round);
        }""",
        selector,
    )
    return left, right, top, bottom


@at_rest
def in_sight(page: "Page", *several: str) -> None:
    """See that all of these lie in the window, and nothing over them."""
    hidden = page.evaluate(
        """several => several.flatMap(each => {
            const found = [...document.querySelectorAll(each)].filter(e => e.checkVisibility());
            return (found.length ? found : [null]).filter(one => {
                if (!one) return true;
                const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
                if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) return true;
                const at = document.elementFromPoint(left + width / 2, top + height / 2);
                const spot = one.closest('.spot');  // its field lies under what takes a finger
                return !one.contains(at) && !at.contains(one) && !(spot && spot.contains(at));
            }).map(() => each);
        })""",
        list(several),
    )
    assert not hidden, hidden
