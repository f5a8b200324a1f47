// Copies a link: data-copy says where it stands.

const button = document.querySelector("[data-copy]");
if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const from = document.querySelector(button.dataset.copy);
    const done = await navigator.clipboard.writeText(from.href ?? from.value).then(() => "Copied.", () => "This browser does not let us.");
    document.querySelector("[data-copied]").textContent = done;
  });
}
