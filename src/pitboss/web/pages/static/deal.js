// The dealer's console: cards from a scanner or the grid, one hand on a number pad, and a focus that waits where the next thing is entered.

import { setting } from "course.js";

const $ = (selector) => document.querySelector(selector);
const cards = () => $("#cards");
const first = () => $("[data-first]");
document.body.classList.add("scripted");

let busy = false;  // an answer is on its way
let asked = "";  // at which moment and step it was asked for
let ahead = [];  // keys that were pressed meanwhile

function settle(own) {
  const at = document.activeElement;
  if (!own && at !== document.body && at !== $("#main")) return;  // somebody is busy elsewhere
  const to = first() ?? $("#main");
  if (at === to) return;
  to.focus({ preventScroll: true });
  to.select?.();
}

document.addEventListener("sent", ({ target }) => {
  if (!target.closest("main.deal")) return;
  [busy, asked] = [true, $("#main").dataset.moment];
  if (target.elements.cards) target.elements.cards.value = "";  // the next may be scanned already
});

document.addEventListener("shown", ({ detail: own }) => {
  if (own) busy = false;
  const field = cards();
  if (own && field?.ariaInvalid) field.value = [field.defaultValue, field.value].filter(Boolean).join(" ");
  settle(own);
  if (own && field && !field.ariaInvalid && field.value.endsWith(" ") && ripe(field)) return field.form.requestSubmit();
  if (!own || !ahead.length) return;
  if ($(".deal .wrong, .deal .amiss") || $("#main").dataset.moment !== asked) ahead = [];  // they were meant for something else
  else press(ahead.shift());
});

/** Do what a key of the number pad does. */
function press(key) {
  const wanted = key === "Enter" ? $("[data-main]") : [...document.querySelectorAll("[data-hotkey]")].find((each) => each.dataset.hotkey === key);
  if (!wanted || wanted.disabled) ahead = [];
  else if (wanted.matches("summary")) {  // what it opens is gone on with at once
    wanted.parentElement.open = true;
    const field = wanted.parentElement.querySelector("input:not([type=hidden])");
    field.focus();
    field.select();
  } else wanted.click();
}

const CARD = /(10|[2-9tjqka])[cdhs]/gi;

/** Whether what stands in the field is to be sent: not while a hand is only half read. */
function ripe({ value, dataset }) {
  const [many, whole] = [value.match(CARD)?.length ?? 0, dataset.whole.split(" ").filter(Boolean).map(Number)];
  if (value.replace(CARD, "").replace(/[\s,]/g, "") || !many) return true;  // to be told what is wrong with it
  return whole.length ? many > whole.at(-1) || whole.includes(many) : many >= Number(dataset.least);
}

document.addEventListener("keydown", (event) => {
  const [at, key] = [event.target, event.key];
  const stop = () => { event.preventDefault(); event.stopImmediatePropagation(); };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.repeat) return key === "Enter" ? stop() : undefined;  // a key that is held is pressed once
  if (key === "*" && at.matches?.("input") && at.closest("main.deal")) { stop(); return busy ? undefined : press(key); }
  if (key === "/" && $("summary[data-hotkey='/']") && at.name !== "label") { stop(); return busy ? undefined : press(key); }
  if (at === cards()) {
    // A scanner ends each card with Enter: until it can be sent, it is set apart from what comes next.
    if (key !== "Enter" || !busy && ripe(at)) return;
    stop();
    if (at.value.trim()) at.value = `${at.value.trim()} `;
    return;
  }
  if (busy) {
    if (!/^(Enter|[0-9./-])$/.test(key)) return;
    stop();
    if (!at.matches?.("input") || key === "Enter") ahead.push(key);
    return;
  }
  if (at.matches?.(".wagers input")) {
    const fields = [...at.form.querySelectorAll("input:not([type=hidden])")];
    const next = key === "+" ? fields[(fields.indexOf(at) + 1) % fields.length] : null;
    if (next) { stop(); next.focus(); next.select(); }
    else if (key === "-" && !at.closest(".patron")) { stop(); press(key); }
    return;
  }
  if (key === "Enter" && setting("keys") !== "off" && !at.closest?.("button, a, summary, input, select")) { stop(); press(key); }
}, true);

document.addEventListener("click", ({ target }) => {
  const card = target.closest?.("[data-card]");
  if (!card || !cards()) return;
  cards().value = `${cards().value} ${card.dataset.card}`.trim();
  cards().focus();
});

settle(true);
