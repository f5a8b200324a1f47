// For whoever is new at a table: the sheet of keys, and three steps until a round was played.

// The sheet: a button and the key ? open it; while it is open no key reaches the table.
const sheet = document.querySelector("#keys");

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-sheet]")) sheet.showModal();  // closed, it gives the focus back
  else if (target === sheet) sheet.close();  // beside it
});
document.addEventListener("keydown", (event) => {
  if (!sheet.open) return;
  event.stopPropagation();
  if (event.key === "?") { event.preventDefault(); sheet.close(); }
}, true);

// The steps: the house shows them until somebody's first round is paid, a browser until they are hidden in it.
document.body.classList.add(localStorage.steps === "hidden" ? "knows" : "learns");
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-knows]")) return;
  localStorage.steps = "hidden";
  document.body.classList.replace("learns", "knows");
  (document.querySelector(".bet .go:enabled") ?? document.querySelector("#main")).focus({ preventScroll: true });
});
