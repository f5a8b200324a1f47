// The sheet of keys: a button and the key ? open it; while it is open no key reaches the table.

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
