// Plays what has happened at the table one step after the other: nothing is told before its card is turned.
// Keeps what this browser's user has set: keys, pace and sound.

const SETTINGS = { keys: ["on", "off"], pace: ["casino", "fast", "off"], sound: ["off", "on"] };  // the first if nothing is set
const SPEEDS = { casino: 1, fast: 0.35, off: 0 };
const PAUSES = { mine: 130, dealt: 60, turned: 280, shown: 140, says: 170, chips: 90, paid: 450 };  // milliseconds after each
const LONGEST = 5000;  // a course of more steps goes quicker
const HURRIED = 1500;  // while a clock runs for whoever looks
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const setting = (name) => (SETTINGS[name].includes(localStorage[name]) ? localStorage[name] : SETTINGS[name][0]);
const speed = () => (still.matches || document.hidden ? 0 : SPEEDS[setting("pace")]);

/** How much of the round has been shown, for the server to say what came since; nothing where it is shown at once. */
export const shown = () => (speed() ? document.querySelector("#main")?.dataset.told : "") || "";

export function saySettings() {
  for (const each of document.querySelectorAll("[data-setting]")) {
    const name = each.dataset.setting;
    each.hidden = false;
    each.textContent = `${name[0].toUpperCase()}${name.slice(1)}: ${setting(name)}`;
  }
}
document.addEventListener("click", ({ target }) => {
  const name = target.closest?.("[data-setting]")?.dataset.setting;
  if (!name) return;
  const several = SETTINGS[name];
  localStorage[name] = several[(several.indexOf(setting(name)) + 1) % several.length];
  saySettings();
  if (name === "sound") sound("win");
});

// Sound ----------------------------------------------------------------------------------------

const NOTES = { card: [[900, 0]], chip: [[2100, 0], [2600, 0.03]], win: [[523, 0], [659, 0.09], [784, 0.18]] };  // hertz, and when
let audio = null;

function sound(kind) {
  if (setting("sound") !== "on" || !NOTES[kind]) return;
  audio ??= new AudioContext();
  const length = kind === "win" ? 0.25 : 0.04;
  for (const [pitch, after] of NOTES[kind]) {
    const [tone, volume, from] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
    tone.type = kind === "card" ? "triangle" : "sine";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.07, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

// The course of a round ------------------------------------------------------------------------

let skip = null;  // ends the pause, while something is played

function pause(milliseconds) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    skip = () => { clearTimeout(timer); done("skipped"); };
  });
}
document.addEventListener("keydown", (event) => {
  if (!skip || event.key !== " ") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  skip();
}, true);
document.addEventListener("click", ({ target }) => { if (target.closest?.(".felt")) skip?.(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) skip?.(); });  // nobody looks, and timers go slowly

const number = (line) => Number(line.dataset.key.split(".")[1]);

/** Make a part of the felt look as it did before its step. */
function conceal(part) {
  part.classList.add("yet");
  const use = part.matches(".card[data-lay]") && part.querySelector("use");
  if (!use) return;
  part.dataset.face = use.getAttribute("href");
  use.setAttribute("href", part.dataset.face.replace(/#.*/, "#back"));  // it lies face down
}

function reveal(part) {
  part.hidden = false;
  part.classList.remove("yet");
  if (part.dataset.face) part.querySelector("use").setAttribute("href", part.dataset.face);
}

/** Say how long one looks at a card before the next thing happens. */
function look(card) {
  if (card.matches(".pile .card:not(.back)")) return PAUSES.turned;
  if (card.matches(".held .card")) return PAUSES.mine;
  return "lay" in card.dataset ? PAUSES.shown : PAUSES.dealt;
}

/** Take a step apart: its cards one by one, then everything that they mean. */
function beats(parts) {
  const [cards, rest] = [parts.filter((each) => each.matches(".card")), parts.filter((each) => !each.matches(".card"))];
  const any = (selector) => rest.some((each) => each.matches(selector));
  const [after, heard] = any(".spot:is(.win, .lose, .push)") ? [PAUSES.paid, any(".yours .win") ? "win" : "chip"]
    : any(".plate .says") ? [PAUSES.says, any(".chips") ? "chip" : ""]
    : any(".chips") ? [PAUSES.chips, "chip"] : [0, ""];
  const theirs = cards.filter((each) => each.matches(".seat .card"));  // at once: it is not their cards that one waits for
  const others = theirs.length ? [[theirs, look(theirs[0]), "card"]] : [];
  const ours = cards.filter((each) => !theirs.includes(each)).map((each) => [[each], look(each), "card"]);
  return [...others, ...ours, [rest, after, heard]];
}

/** Play on the page `main` what the page `fresh` has more; it is left to the caller to show all of `fresh` in the end. */
export async function play(main, fresh, morph) {
  const [was, now] = [main, fresh].map((each) => (each.dataset.told ?? "").split("."));
  const seen = was[0] === now[0] ? Number(was[1]) : 0;
  if (!speed() || !fresh.querySelector(".felt [data-at]")) return;
  const next = fresh.cloneNode(true);
  const [felt, log] = [".felt", "#log"].map((each) => next.querySelector(each));
  const parts = [...next.querySelectorAll(".felt [data-at]")];
  felt.classList.add("playing");
  felt.querySelector(".head").replaceWith(main.querySelector(".head").cloneNode(true));  // the meter tells how it ended
  for (const each of felt.querySelectorAll(".place, .spot input, small.takes, .ghosts")) each.remove();  // what is asked next
  for (const each of felt.querySelectorAll(".spot")) each.classList.remove("takes", "needed", "lit");
  parts.forEach(conceal);
  for (const each of log.children) each.hidden = Boolean(each.dataset.key) && number(each) >= seen;
  morph(main.querySelector(".felt"), felt);
  morph(main.querySelector("#log"), log);

  const steps = new Map();
  const add = (step, each) => steps.set(step, [...(steps.get(step) ?? []), each]);
  for (const each of main.querySelectorAll(".felt .yet")) add(Number(each.dataset.at), each);
  for (const each of main.querySelectorAll("#log > [hidden]")) add(number(each), each);
  const all = [...steps.keys()].sort((one, other) => one - other).flatMap((each) => beats(steps.get(each)));
  const long = all.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);

  const [panel, status, lines] = [".panel", ".status [role=status]", "#log"].map((each) => main.querySelector(each));
  let rate = speed() * Math.min(1, (fresh.querySelector(".clock:not([hidden])") ? HURRIED : LONGEST) / long);
  try {
    panel.inert = true;
    panel.classList.add("busy");
    status.setAttribute("aria-live", "off");  // the log is heard
    for (const [several, milliseconds, heard] of all) {
      several.forEach(reveal);
      const line = several.find((each) => each.parentElement === lines);
      const said = line && [...line.querySelector(".act").childNodes].filter((each) => each.nodeName !== "B").map((each) => each.textContent).join("");
      if (said) status.textContent = said;
      if (line) lines.scrollTop = lines.scrollHeight;
      if (rate) sound(heard);
      if (milliseconds && rate && (await pause(milliseconds * rate))) rate = 0;
    }
  } finally {
    skip = null;
    panel.inert = false;
    panel.classList.remove("busy");
  }
}
