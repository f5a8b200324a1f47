// The lab follows whoever drags, steps by key or types: it sends what is changed, one question at a
// time, and puts the figures that come back into the page. All of its state is in the address.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const [form, base] = [$(".lab-controls"), $("#main").dataset.lab];
const tab = Math.random().toString(36).slice(2, 10);  // the newest question of this page replaces its older ones
const PAUSE = 250;  // milliseconds without a change, after which what takes longer is asked for, too

const fieldOf = (turn) => $("input:not([type=range]), select", turn);
const stepsOf = (turn) => $("[data-steps]", turn)?.dataset.steps.split("|") ?? [];

/** What is behind the question mark for the page as it stands. */
function state() {
  const said = new URLSearchParams();
  for (const turn of all(".lab-turn", form)) {
    const value = fieldOf(turn).value.trim();
    if (value && value !== turn.dataset.posted) said.append(turn.dataset.path, value);
  }
  for (const { name, value } of all("input[type=hidden]", form)) if (value) said.append(name, value);
  return said.toString();
}

// Asking -----------------------------------------------------------------------------------------

/** Ask at once where nothing is under way, and once more after that if there is anything new. */
function asker(work) {
  let [busy, again] = [false, false];
  return async () => {
    again = true;
    if (busy) return;
    busy = true;
    while (again) {
      again = false;
      try { await work(); $("#lost").hidden = true; } catch { $("#lost").hidden = false; await new Promise((done) => setTimeout(done, 1500)); again = true; }
    }
    busy = false;
  };
}

async function ask(part, tries = 10) {
  const answer = await fetch(`${base}/${part}?${state()}`, { headers: { "X-Lab": tab, "X-Part": "1" }, credentials: "same-origin", signal: AbortSignal.timeout(70000) });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok) return $(`#${part}`, fresh);
  if (answer.status !== 409) complain($(".wrong, h1 + p, h1", fresh)?.textContent ?? "This cannot be priced.");
  if (answer.status !== 429 || tries < 2) return null;
  await new Promise((done) => setTimeout(done, 1000));
  return ask(part, tries - 1);
}

/** Put a part of the page in the place of the one that is there; what is open, typed and in focus stays so. */
function exchange(old, fresh) {
  const open = new Set(all("details[open]", old).map((each) => each.dataset.key));
  for (const each of all("details", fresh)) if (open.has(each.dataset.key)) each.open = true;
  for (const each of all("input[name]:not([type=hidden])", old)) {
    const same = $(`[name="${each.name}"]:not([type=hidden])`, fresh);
    if (same && (each.value !== each.defaultValue || each.checked !== each.defaultChecked)) [same.value, same.checked] = [each.value, each.checked];
  }
  const focus = old.contains(document.activeElement) && document.activeElement;
  old.replaceWith(fresh);
  if (!focus) return;
  const same = focus.id ? document.getElementById(focus.id)
    : focus.name ? $(`[name="${focus.name}"]:not([type=hidden])`, fresh)
      : all(focus.localName, fresh).find((each) => each.textContent === focus.textContent);
  same?.focus({ preventScroll: true });
}

function complain(words) {
  all(".lab-told.now").forEach((each) => each.remove());
  const told = Object.assign(document.createElement("p"), { className: "lab-told now wrong", textContent: words });
  told.setAttribute("role", "alert");
  $("#figures").prepend(told);
}

let resting = 0;
const figures = asker(async () => {
  const fresh = await ask("figures");
  if (fresh) show(fresh);
  clearTimeout(resting);
  resting = setTimeout(rest, PAUSE);
});
const view = asker(async () => {
  const fresh = await ask("view");
  if (!fresh) return;
  const waited = $("[data-wait]", $("#view"));
  exchange($("#view"), fresh);
  if (waited && !$("[data-wait]", fresh)) arrived(fresh);
  wait();
});

/** Look again after a while at what is being worked out. */
function wait() {
  const waits = $("[data-wait]");
  if (waits) setTimeout(view, Number(waits.dataset.wait) || 2000);
}

/** Something that was waited for is there: say so, and lead whoever waited at its button there. */
function arrived(fresh) {
  const told = $("[data-told]", fresh);
  if (!told) return;
  $("#said").textContent = told.textContent;
  if (document.activeElement === document.body) told.focus({ preventScroll: true });
}

function show(fresh) {
  exchange($("#figures"), fresh);
  const refused = JSON.parse(fresh.dataset.refused);
  for (const turn of all(".lab-turn", form)) mark(turn, refused[turn.dataset.path]);
  history.replaceState(null, "", fresh.dataset.address);
  document.dispatchEvent(new CustomEvent("priced"));
}

/** Somebody rests: say what came of it, and ask for what takes longer. */
function rest() {
  const edge = $(".lab-edge");
  $("#said").textContent = edge ? `House edge ${$(".lab-number", edge).textContent}, ${$(".lab-by", edge).textContent}` : "";
  view();
  const figured = $("#figures");
  if ("working" in figured.dataset) resting = setTimeout(figures, 2000);
  else if ($("[data-exact]") && asked !== figured.dataset.query) resting = setTimeout(() => exactly($("[data-exact]")), 1200);
}

let asked = null;  // the query whose exact price was asked for last: by itself the page asks once

/** Have the exact price of a slow game worked out, and look again until it is there. */
async function exactly(button) {
  const fields = new URLSearchParams(new FormData(button));
  fields.set("do", "exact");
  asked = fields.get("state");
  const answer = await fetch(button.action, { method: "POST", body: fields, credentials: "same-origin", redirect: "manual", headers: { "X-Lab": tab, "X-Part": "1" } });
  if (answer.ok || answer.type === "opaqueredirect") figures();
  else complain($(".wrong, h1 + p, h1", new DOMParser().parseFromString(await answer.text(), "text/html"))?.textContent ?? "This cannot be worked out now.");
}

// Turning ----------------------------------------------------------------------------------------

/** Show at a control whether it is changed, or why what stands there is not taken. */
function mark(turn, wrong = "") {
  const [field, note] = [fieldOf(turn), $(".lab-hint", turn)];
  const changed = field.value.trim() !== turn.dataset.posted;
  if (!changed && !wrong && note.hidden && !turn.matches(".changed, .amiss")) return follow(turn);
  turn.classList.toggle("changed", changed);
  turn.classList.toggle("amiss", Boolean(wrong));
  note.hidden = !changed && !wrong;
  $(".lab-says", note).textContent = wrong ? wrong[0].toUpperCase() + wrong.slice(1) + "." : `posted ${turn.dataset.posted}`;
  wrong ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid");
  follow(turn);
}

/** Let the slider stand where the field says, as far as that is one of its steps. */
function follow(turn) {
  const [field, range] = [fieldOf(turn), $("[type=range]", turn)];
  const at = stepsOf(turn).indexOf(field.value.trim());
  if (range && at >= 0 && Number(range.value) !== at) range.value = at;
  if (range && range.getAttribute("aria-valuetext") !== field.value) range.setAttribute("aria-valuetext", field.value);
}

function put(turn, value) {
  const field = fieldOf(turn);
  if (field.value === value) return;
  field.value = value;
  mark(turn);
  figures();
}

/** Move a control some steps from where it is. */
function step(turn, by) {
  const steps = stepsOf(turn);
  const now = steps.indexOf(fieldOf(turn).value.trim());
  const from = now < 0 ? Number($("[type=range]", turn).value) : now;
  put(turn, steps[Math.min(steps.length - 1, Math.max(0, from + by))]);
}

const KEYS = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
let typing = 0;
form.addEventListener("input", ({ target }) => {
  const turn = target.closest(".lab-turn");
  clearTimeout(typing);
  if (target.type === "range") put(turn, stepsOf(turn)[Number(target.value)]);
  else if (target.nodeName === "SELECT") { mark(turn); figures(); }
  else typing = setTimeout(() => { mark(turn); figures(); }, 250);
});
form.addEventListener("keydown", (event) => {
  const turn = event.target.closest(".lab-turn");
  if (!turn || !stepsOf(turn).length || !(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  step(turn, KEYS[event.key]);
});
form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(typing); figures(); });
form.addEventListener("click", (event) => {
  const [reset, whole] = [event.target.closest(".lab-reset"), event.target.closest("[data-reset]")];
  if (reset) { const turn = reset.closest(".lab-turn"); fieldOf(turn).focus(); put(turn, turn.dataset.posted); }
  if (!whole || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  for (const turn of all(".lab-turn", form)) { fieldOf(turn).value = turn.dataset.posted; mark(turn); }
  $("summary", form)?.focus();
  figures();
});

document.addEventListener("submit", (event) => {
  if (!("exact" in event.target.dataset)) return;
  event.preventDefault();
  exactly(event.target);
});
document.addEventListener("click", async (event) => {
  const [shown, share] = [event.target.closest?.("[data-show]"), event.target.closest?.("[data-share]")];
  if ((!shown && !share) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (shown) {
    event.preventDefault();
    const asked = new URL(shown.href);
    let field = $("input[name=show]", form);
    if (!field) form.append(field = Object.assign(document.createElement("input"), { type: "hidden", name: "show" }));
    field.value = asked.searchParams.get("show") ?? "";
    history.replaceState(null, "", asked.pathname + asked.search);
    view();
  } else if (navigator.clipboard) {
    event.preventDefault();
    share.textContent = await navigator.clipboard.writeText(share.href).then(() => "Link copied", () => "Link to this");
  }
});

document.addEventListener("change", ({ target }) => { if (target.name === "design.wager") $("[data-follow]", target.form).click(); });
$("#lab-book").addEventListener("change", ({ target }) => target.form.requestSubmit());
document.body.classList.add("live");
for (const each of all("[type=range], .lab-reset", form)) each.hidden = false;
for (const each of all(".lab-turn", form)) if (!$("[aria-invalid]", each)) mark(each);
if ("working" in $("#figures").dataset || $("[data-exact]")) rest();
wait();
