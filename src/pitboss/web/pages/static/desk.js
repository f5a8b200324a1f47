// The dispute desk: a deck to pick cards from, which greys what is out.
const deck = document.querySelector(".deck");
const fields = [...document.querySelectorAll(".cards input")];
let last = fields[0];
const written = (field) => field.value.match(/(10|[2-9TJQKA])[cdhs]/gi) ?? [];
const out = () => new Set(fields.flatMap(written).map((card) => card.replace("10", "T").toLowerCase()));

function grey() {
  const gone = out();
  for (const each of deck.children) each.disabled = gone.has(each.value.toLowerCase());
}

for (const suit of "shdc") for (const rank of "AKQJT98765432") {
  const button = Object.assign(document.createElement("button"), { type: "button", value: rank + suit });
  button.textContent = rank.replace("T", "10") + { s: "\u2660", h: "\u2665", d: "\u2666", c: "\u2663" }[suit];
  button.classList.toggle("red", "hd".includes(suit));
  button.addEventListener("click", () => {
    last.value = [...written(last), button.value].join(" ");
    grey();
  });
  deck.append(button);
}
for (const field of fields) {
  field.addEventListener("focus", () => { last = field; });
  field.addEventListener("input", grey);
}
deck.hidden = false;
grey();
