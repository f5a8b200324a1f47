// Walks through a replay: by arrows from decision to decision, with Shift from step to step, and by itself.

const PACE = 1200;  // milliseconds a step
const $ = (selector) => document.querySelector(selector);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const play = $("[data-play]");
let running = 0;

document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey || event.repeat || localStorage.keys === "off") return;
  const to = event.shiftKey ? null : $(".timeline")?.dataset;
  const link = to ? to[way] !== to.at && $(`.log a[href$="?step=${to[way]}"]`) : $(`.steps [data-step=${way}][href]`);
  event.preventDefault();
  halt();
  if (link) link.click();
});

function halt() {
  clearInterval(running);
  running = 0;
  play.textContent = "Play";
}

/** Go on by one; at the end it is over. */
function on() {
  const next = $(".steps [data-step=on][href]");
  if (next) next.click();
  else halt();
}

play.addEventListener("click", () => {
  if (running) return halt();
  running = setInterval(on, PACE);
  play.textContent = "Pause";
  ($(".steps [data-step=on][href]") ?? $(".steps [data-step=first]")).click();
});
// Whoever takes a step goes on alone.
document.addEventListener("click", ({ isTrusted, target }) => { if (isTrusted && target.closest?.(".replay a")) halt(); });
// What comes of another choice is brought into the window.
let asked = false;
document.addEventListener("click", ({ target }) => { if (target.closest?.(".weighed a")) asked = true; });
new MutationObserver(() => {
  const answer = asked && $(".what-if > p");
  if (answer) { asked = false; answer.scrollIntoView({ block: "nearest" }); }
}).observe($("main").parentNode, { childList: true, subtree: true });
const offer = () => { halt(); play.hidden = still.matches; };
still.addEventListener("change", offer);
offer();
