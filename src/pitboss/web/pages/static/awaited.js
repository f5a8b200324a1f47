// Looks again, every two seconds, until what the page waits for is there.

const waits = (root) => root.querySelector("#main [data-wait]");

async function look() {
  let fresh = null;
  try {
    const answer = await fetch(location.href, { credentials: "same-origin", signal: AbortSignal.timeout(20000) });
    if (answer.ok) fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch { /* the house is away for a moment */ }
  if (fresh && !waits(fresh)) return location.reload();
  if (fresh) waits(document).replaceWith(waits(fresh));
  later();
}

const later = () => setTimeout(look, 2000);
if (waits(document)) later();
