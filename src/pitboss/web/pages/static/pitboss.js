// Makes the plain forms quicker: sends them without leaving the page, puts what comes back into
// it piece by piece, hears when something happens at the table, and places chips by click or key.

import { play, saySettings, setting, shown } from "course.js";

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const page = () => $("#main");

// Changing the page ----------------------------------------------------------------------------

const keyOf = (node) => node.dataset?.key ?? node.id ?? "";
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/** Make `old` like `fresh`, keeping every element that stays what it was. */
function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.dataset?.keep !== undefined || (!$("input", old) && old.isEqualNode(fresh))) return;
  const own = (name) => name === "open" && old.nodeName === "DETAILS";  // whoever reads opens and closes it
  const typed = old.nodeName === "INPUT" && old.defaultValue === fresh.defaultValue && old.closest("[data-own]");  // and not sent yet
  for (const { name } of [...old.attributes ?? []])
    if (!fresh.hasAttribute(name) && !own(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes ?? []])
    if (old.getAttribute(name) !== value && !own(name)) old.setAttribute(name, value);
  if (old.nodeName === "INPUT" && old !== document.activeElement && old.type !== "radio" && !typed)
    old.value = fresh.value;
  const kept = [...old.childNodes];
  let at = 0;
  for (const child of [...fresh.childNodes]) {
    // Space between elements stands anywhere: looking further for it would step over elements.
    const until = child.nodeType === Node.TEXT_NODE ? at + 1 : kept.length;
    const found = kept.findIndex((each, index) => index >= at && index < until && alike(each, child));
    if (found < 0) {
      old.insertBefore(child, kept[at] ?? null);
      continue;
    }
    while (at < found) kept[at++].remove();
    morph(kept[at++], child);
  }
  while (at < kept.length) kept[at++].remove();
}

/** Write times as the reader's own clock has them; the server has them in UTC. */
function ownTimes(root) {
  for (const each of all("time[datetime]", root)) {
    each.title = each.textContent;
    const dateStyle = each.textContent.includes("-") ? "medium" : undefined;
    each.textContent = new Date(each.dateTime).toLocaleString([], { dateStyle, timeStyle: "short" });
  }
}

async function show(html, own = false) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#main");
  if (fresh) ownTimes(fresh);
  const old = page();
  if (!fresh || !old) return location.reload();
  if (fresh.dataset.table !== old.dataset.table) return complain(fresh);
  if (Number(fresh.dataset.seq ?? 0) < Number(old.dataset.seq ?? 0)) return;
  const [focused, betting] = [document.activeElement, $("form.bet")?.elements.moment?.value];
  const moved = old.dataset.moment !== fresh.dataset.moment;
  const wrong = $(".panel .wrong");
  if (wrong && !own && !moved) $(".panel .status", fresh)?.after(wrong.cloneNode(true));  // still true
  // Whoever is placing chips goes on with it: what others do meanwhile is there at once.
  if (!betting || betting !== $("form.bet", fresh)?.elements.moment.value) await play(old, fresh, morph);
  const typed = new Map(($("form.bet") ? inputs($("form.bet")) : []).map((each) => [each.id, each.value]));
  // Were a focused button taken away, the half-changed page would be laid out to see who has the focus now.
  if (own && focused.form?.id && !$(`#${focused.form.id}`, fresh)) focused.blur();
  morph(old, fresh);
  if (betting === $("form.bet")?.elements.moment?.value && !$(".wrong, .spot.amiss"))
    for (const [id, value] of typed) if (document.getElementById(id)) document.getElementById(id).value = value;
  ready();
  if (focused?.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true });
  if (focused && !focused.isConnected) ($(".decide") ?? $(".bet .go") ?? page()).focus({ preventScroll: true });
  scrollLog();
  if (moved || (own && $(".ask"))) changed = performance.now();
  if (moved && scrollY) scrollTo(0, 0);
}

/** Show the end of what happened, or the step of a replay that is looked at. */
function scrollLog() {
  const [log, step] = [$("#log"), $(".log [aria-current]")];
  if (log) log.scrollTop = log.scrollHeight;
  if (step) step.parentElement.scrollTop = step.offsetTop - step.parentElement.offsetTop - step.parentElement.clientHeight / 2;
}

/** Say at the place what another page than this one says. */
function complain(other) {
  all(".told").forEach((each) => each.remove());
  const said = $(".wrong", other) ?? $("h1", other);
  const told = Object.assign(document.createElement("p"), { className: "wrong told", textContent: said?.textContent ?? "" });
  told.setAttribute("role", "alert");
  ($(".panel") ?? page()).prepend(told);
}

// Asking the server ----------------------------------------------------------------------------

const lost = (is) => { const told = $("#lost"); if (told) told.hidden = !is; };
let turn = Promise.resolve();
let looking = false;
let heard = 0;  // how far the bell has rung
let changed = -Infinity;  // when the table last came to another moment, or asked whether one is sure

/** Whether a press may be meant for what was there before: all of a double click counts as one. */
const early = () => performance.now() - changed < (clicks > 1 ? 600 : 250);
let clicks = 0;  // of the mouse, one after the other
document.addEventListener("click", ({ detail, pointerType }) => { clicks = pointerType === "mouse" ? detail : 1; }, true);  // quick taps are meant

/** Do one thing after the other. */
const inTurn = (work) => (turn = turn.then(work, work));

async function ask(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: { "X-Part": "1", "X-Shown": shown(), ...options.headers }, credentials: "same-origin", signal: AbortSignal.timeout(10000) });
  lost(false);
  return answer.text();
}

function look(url = location.href, rung = false) {
  if (looking) return;
  looking = true;
  inTurn(async () => {
    looking = false;
    if (rung && heard <= Number(page().dataset.seq)) return;  // an answer has told us meanwhile
    try { await show(await ask(url)); tell(false); } catch { lost(true); setTimeout(look, 1500); }
  });
}

/** Tell other scripts that the page has changed, and whether that is the answer to a form. */
const tell = (own) => document.dispatchEvent(new CustomEvent("shown", { detail: own }));

function send(form, button) {
  const [where, fields] = [form.action, new URLSearchParams(new FormData(form, button))];
  form.dispatchEvent(new Event("sent", { bubbles: true }));
  inTurn(async () => {
    for (let pause = 300; ; pause = Math.min(4000, 2 * pause)) {
      try {  // the form's key makes it safe to send it again
        await show(await ask(where, { method: "POST", body: fields }), true);
        return tell(true);
      } catch {
        lost(true);
        await new Promise((done) => setTimeout(done, pause));
      }
    }
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || "plain" in form.dataset) return;
  event.preventDefault();
  if (!early()) send(form, event.submitter);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".replay a[href*='?step=']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  look(link.href);
});

// Hearing --------------------------------------------------------------------------------------

let bell = null;
let alive = 0;  // when we last heard anything

/** Hear of what happens here, as long as somebody looks: browsers have few lines to one house. */
function listen() {
  const table = page()?.dataset.table;
  bell?.close();
  bell = null;
  if (!table || document.hidden) return;
  const mine = bell = new EventSource(`/tables/${encodeURIComponent(table)}/changes`);
  alive = performance.now();
  const living = () => { alive = performance.now(); lost(false); };
  mine.onopen = living;
  mine.addEventListener("still", living);
  mine.onmessage = ({ data }) => {
    living();
    heard = Number(data);
    if (heard > Number(page().dataset.seq)) look(location.href, true);
  };
  mine.addEventListener("end", () => again(mine, 1500));
  mine.onerror = () => {
    if (mine.readyState !== EventSource.CLOSED) return lost(true);  // it tries again by itself
    // Look, which tells whether we are refused a line or have none; not where the page is being left.
    setTimeout(() => { if (bell === mine) look(); }, 100);
    again(mine, 5000);
  };
}

function again(mine, pause) {
  mine.close();
  setTimeout(() => { if (bell === mine) listen(); }, pause);
}

setInterval(() => { if (bell && performance.now() - alive > 40000) { lost(true); listen(); } }, 5000);
// The bell's first ring says how far the table is: whoever comes back learns what was missed.
document.addEventListener("visibilitychange", () => (document.hidden ? listen() : setTimeout(listen, 100)));
addEventListener("pageshow", ({ persisted }) => { if (persisted) listen(); });
addEventListener("pagehide", () => bell?.close());

const refresh = Number(page()?.dataset.refresh ?? 0);
if (refresh) setInterval(() => { if (!document.hidden && !document.activeElement?.matches("input, select")) look(); }, 1000 * refresh);

// The clock ------------------------------------------------------------------------------------

let ahead = 0;
setInterval(() => {
  const clock = $(".clock");
  if (!clock) return;
  const left = Math.max(0, Math.ceil((Number(clock.dataset.until) - Date.now() - ahead) / 1000));
  clock.hidden = left > Number(clock.dataset.shown);
  clock.textContent = `${left} s`;
  clock.classList.toggle("hurry", left <= 5);
}, 250);

// Placing chips --------------------------------------------------------------------------------

const sign = () => page().dataset.money ?? "";  // of the house's own currency
const money = (cents) => (cents < 0 ? "-" : "") + sign() + (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0 });
const cents = (text) => {
  const figure = text.replace(sign(), "").trim();
  return /^(\d{1,3}(,\d{3})+|\d+)(\.\d\d)?$/.test(figure) ? Math.round(100 * Number(figure.replaceAll(",", ""))) : 0;
};
const plain = (worth) => (worth ? (worth % 100 ? (worth / 100).toFixed(2) : String(worth / 100)) : "");
let undone = [];
let chosen = "";  // the chip that was last picked
let swept = "";  // the moment at which the last round's chips were cleared away

const inputs = (form) => [...form.elements].filter((each) => /^(wager-|toke$)/.test(each.name));
const spotOf = (input) => input.closest(".spot");
const bets = (form) => Object.fromEntries(inputs(form).map((each) => [each.name, each.value]));
const lies = (form, input) => input.name === `wager-${form.dataset.ante}` ? Number(form.dataset.equal) : 1;  // on how many spots
const sum = (form) => inputs(form).reduce((total, each) => total + (cents(each.value) || 0) * lies(form, each), 0);
const purse = (form) => Number(form.dataset.balance) + Number(form.dataset.down);  // what lies there comes back first
function put(form, values) {
  sweep();
  for (const each of inputs(form)) {
    each.value = values[each.name] ?? "";
    allow(spotOf(each));
  }
  drawBets(form);
}

/** Clear away what the last round left on the felt. */
function sweep() {
  swept = page().dataset.moment;
  $(".felt")?.classList.add("swept");
}

/** Say at a spot why nothing more is put there. */
function refuse(spot, why) {
  const said = $(".takes", spot);
  said.dataset.says ??= said.textContent;
  said.textContent = why;
  spot.classList.add("amiss");
  spot.classList.remove("shake");
  void spot.offsetWidth;  // so that it shakes again
  spot.classList.add("shake");
}

function allow(spot) {
  const said = $(".takes", spot);
  if (said.dataset.says) said.textContent = said.dataset.says;
  spot.classList.remove("amiss");
}

/** What is wrong with what stands in a spot, if anything. */
function amiss(input, place) {
  const worth = cents(input.value);
  const [least, most] = [Number(place.dataset.least ?? 0), Number(place.dataset.most ?? Infinity)];
  if (input.value.trim() && !worth && input.value.trim() !== "0") return `An amount such as ${money(Math.min(Math.max(least, 100), most))}`;
  if (!worth) return "";
  return worth < least ? `At least ${money(least)}` : worth > most ? `At most ${money(most)}` : "";
}

function drawBets(form) {
  const [total, has] = [sum(form), purse(form)];
  let why = "";
  for (const each of inputs(form)) {
    const [spot, worth] = [spotOf(each), cents(each.value) || 0];
    const place = $(".place", spot);
    const stack = $(".stack", place);
    stack.replaceChildren();
    let left = worth;
    const rack = all(".rack label", form).map((label) => [Number($("input", label).value), $("svg", label)]).reverse();
    for (const [value, chip] of rack)
      for (; left >= value && stack.children.length < 6; left -= value) {
        const copy = chip.cloneNode(true);
        copy.removeAttribute("role");
        copy.removeAttribute("aria-label");
        stack.append(copy);
      }
    place.setAttribute("aria-label", `${place.dataset.title}: ${worth ? money(worth) : "no chips"}. Add a chip`);
    const wrong = amiss(each, place);
    why ||= wrong && `${place.dataset.title}: ${wrong[0].toLowerCase()}${wrong.slice(1)}`;
    if (each.required && !worth) why ||= `${place.dataset.title} needs ${money(Number(place.dataset.least))}`;
  }
  if (total > has) why ||= `You have ${money(has)}`;
  for (const each of all(".rack input", form)) each.disabled = Number(each.value) > has;
  const go = $(".go", form);
  go.disabled = Boolean(why);
  $("[data-total]", form).textContent = total ? money(total) : "";
  const stay = (cents(form.elements[`wager-${form.dataset.ante}`]?.value ?? "") || 0) * Number(form.dataset.stay);
  $(".note", form).textContent = why || (total + stay > has ? `To play this out you need ${money(total + stay)}: you have ${money(has)}` : "");
}

/** Put one chip more on a spot, as far as the spot and the purse have room, or take one off. */
function place(form, at, less = false) {
  const [input, spot] = [form.elements[at.dataset.spot === "toke" ? "toke" : `wager-${at.dataset.spot}`], at.closest(".spot")];
  const [least, most] = [Number(at.dataset.least), Number(at.dataset.most ?? Infinity)];
  const chip = Number($("input[name=chip]:checked", form)?.value ?? 500);
  if (!chip) return input.focus();  // the one that stands for any amount
  undone.push(bets(form));
  const anew = swept !== page().dataset.moment && $(".felt .yours .result");
  if (anew) put(form, {});
  const now = cents(input.value) || 0;
  sweep();
  allow(spot);
  const room = Math.floor((purse(form) - sum(form)) / lies(form, input)) + (cents(input.value) || 0);
  let wanted = "fixed" in at.dataset ? (now || less ? 0 : least) : Math.max(0, now + (less ? -chip : chip));
  if (!less && now === 0 && wanted && wanted < least) wanted = least;
  if (wanted > most) { refuse(spot, `At most ${money(most)}`); wanted = most; }
  if (wanted > room) { refuse(spot, `You have ${money(purse(form))}`); wanted = Math.max(now, room >= least ? room : 0); }
  input.value = plain(wanted < least ? 0 : wanted);
  drawBets(form);
  if (anew) $(".note", form).textContent ||= "A new bet: Repeat brings the last one back";
}

const tools = {
  undo: (form) => { if (undone.length) put(form, undone.pop()); },
  clear: (form) => { undone.push(bets(form)); put(form, {}); },
  repeat: (form) => {
    undone.push(bets(form));
    const last = JSON.parse(form.dataset.last || "{}");
    put(form, Object.fromEntries(Object.entries(last).map(([name, value]) => [`wager-${name}`, value])));
  },
};

let held = 0;  // a finger that rests on a spot takes a chip off
const theForm = () => $("form.bet");
document.addEventListener("click", (event) => {
  const [spot, tool] = ["[data-spot]", "[data-tool]"].map((each) => event.target.closest?.(each));
  const form = spot || tool ? theForm() : null;
  if (!form || early()) return;
  if (held === -1) held = 0;
  else if (spot) place(form, spot, event.shiftKey);
  else tools[tool.dataset.tool](form);
});
document.addEventListener("contextmenu", (event) => {
  const spot = event.target.closest?.(".spot.takes");
  if (!spot || !theForm() || event.target.matches("input")) return;
  event.preventDefault();
  if (held !== -1) place(theForm(), $(".place", spot), true);
});
document.addEventListener("pointerdown", (event) => {
  const spot = event.pointerType === "touch" && event.target.closest?.("[data-spot]");
  held = spot ? setTimeout(() => { held = -1; if (theForm()) place(theForm(), spot, true); }, 500) : 0;
});
for (const each of ["pointerup", "pointercancel"]) document.addEventListener(each, () => { if (held > 0) { clearTimeout(held); held = 0; } });
document.addEventListener("input", ({ target }) => {
  const form = target.form;
  if (!form?.matches?.("form.bet")) return;
  if (target.closest(".spot")) { sweep(); allow(target.closest(".spot")); }
  drawBets(form);
});
document.addEventListener("change", ({ target }) => {
  if (target.name === "chip") chosen = target.value;
  const place = target.form?.matches?.("form.bet") && target.closest(".spot") && $(".place", target.closest(".spot"));
  const wrong = place && amiss(target, place);
  if (wrong) refuse(target.closest(".spot"), wrong);
});

// Keys -----------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const at = event.target;
  // A key that is held down is not pressed again, and does not go on to what has come up since.
  if (event.repeat && at.matches?.("button, a, summary, body, main") && /^( |Enter)$/.test(event.key)) event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || setting("keys") === "off") return;
  if (event.key === "Escape") $(".ask")?.remove();  // the question, not the choice
  const typing = at.matches?.("input:not([type=radio]), select, textarea");
  if (typing) return;
  if (event.key === "Enter" && (at.matches?.("[data-spot], [data-tool]") || !at.closest?.("button, a, summary"))) {
    const go = $(".panel:not([inert]) .bet .go");  // whatever was clicked last, Enter does what the main button says
    if (go) { event.preventDefault(); if (!go.disabled) go.form.requestSubmit(go); }
    return;
  }
  const wanted = all("[data-hotkey]").find((each) => each.dataset.hotkey.toLowerCase() === event.key.toLowerCase() && !each.disabled && !each.closest("[hidden], [inert]"));
  if (!wanted) return;
  event.preventDefault();
  if (wanted.type === "radio") { wanted.checked = true; chosen = wanted.value; return; }
  if ("spot" in wanted.dataset) { if (!early()) place(theForm(), wanted, event.shiftKey); return; }
  wanted.click();
});

// The meter -------------------------------------------------------------------------------------

let meter = null;
function moveMeter() {
  const shown = $("[data-meter]");
  if (!shown) return;
  const [from, to, begun] = [meter ?? Number(shown.dataset.meter), Number(shown.dataset.meter), performance.now()];
  meter = to;
  if (from === to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const step = (now) => {
    if (meter !== to || !shown.isConnected) return;
    const part = Math.min(1, (now - begun) / 700);
    shown.textContent = money(Math.round(from + (to - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// A menu closes by Esc, which gives the focus back, and by a click beside it.
for (const kind of ["click", "keydown"]) document.addEventListener(kind, ({ key, target }) => {
  const menu = $(".who[open]");
  if (!menu || (key ? key !== "Escape" : menu.contains(target))) return;
  menu.open = false;
  if (key) $("summary", menu).focus();
});

document.addEventListener("submit", ({ target }) => {  // for the replay to compare
  if (target.matches(".cut")) sessionStorage[`sent ${page().dataset.next}`] = $("#cut").value;
}, true);

// Beginning ------------------------------------------------------------------------------------

function ready() {
  moveMeter();
  const { next, seal } = page().dataset;
  if (seal && !sessionStorage[`seal ${next}`]) sessionStorage[`seal ${next}`] = seal;  // for the replay to compare
  if (page().dataset.cut && sessionStorage[`sent ${next}`]) sessionStorage[`cut ${next}`] = sessionStorage[`sent ${next}`];
  const cut = $("#cut");  // nobody else chose it
  if (cut && !cut.value) cut.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
  saySettings();
  for (const each of all("[data-sheet]")) each.hidden = false;
  const clock = $(".clock");
  if (clock) ahead = Number(clock.dataset.now) - Date.now();
  const form = $("form.bet");
  page().classList.toggle("placing", Boolean(form));
  if (!form) { undone = []; return; }
  form.classList.add("placing");
  const same = $(`.rack input[value="${chosen}"]`, form);
  if (same) same.checked = true;
  form.noValidate = true;  // what is wrong is said at the spot
  $(".felt").classList.toggle("swept", swept === page().dataset.moment);
  for (const each of all(".rack, .place, .tools")) each.hidden = false;
  drawBets(form);
}

ownTimes(document);
ready();
scrollLog();
listen();
