// Checks, in the browser and with nobody's help, that the cards shown lay where they lay in the deck
// that was sealed before the round: docs/fair.md says how.

const K = [], H = [];
for (let n = 2; H.length < 8 || K.length < 64; n++) {
  if ([...Array(n).keys()].slice(2).some((d) => d * d <= n && n % d === 0)) continue;
  if (H.length < 8) H.push(((n ** 0.5 % 1) * 2 ** 32) | 0);
  K.push(((n ** (1 / 3) % 1) * 2 ** 32) | 0);
}

/** SHA-256 of ASCII text, in hexadecimal; a page without https has no crypto.subtle. */
export function sha256(text) {
  const length = text.length, words = new Int32Array(((length + 72) >> 6) << 4);
  for (let i = 0; i < length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i & 3));
  words[length >> 2] |= 0x80 << (24 - 8 * (length & 3));
  words[words.length - 1] = 8 * length;
  const state = Int32Array.from(H), w = new Int32Array(64), turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < words.length; at += 16) {
    for (let i = 0; i < 64; i++)
      w[i] = i < 16 ? words[at + i]
        : (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10)) + w[i - 7]
        + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3)) + w[i - 16];
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, i) => { state[i] += each; });
  }
  return [...state].map((each) => (each >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The places of the sealed deck in the order in which they are dealt: from the top, or as it was cut. */
export function order(commitment, cuts) {
  const seats = Object.keys(cuts).sort((a, b) => a - b), places = [...Array(52).keys()];
  if (!seats.length) return places;
  const mixed = [commitment, ...seats.map((seat) => `${seat}:${cuts[seat]}`)].join("/");
  const hashes = places.map((place) => sha256(`${mixed}/${place}`));
  return places.sort((a, b) => (hashes[a] < hashes[b] ? -1 : 1));
}

/** Why a proof does not hold; empty where it does. */
export function wrong({ commitment, leaves, opened, cuts, dealt }, sealed) {
  if (commitment !== sealed || leaves.length !== 52 || leaves.some((leaf) => !/^[0-9a-f]{64}$/.test(leaf)))
    return "the proof is not of this deck";
  if (Object.values(cuts).some((cut) => !/^[0-9A-Za-z]+$/.test(cut))) return "a cut is of letters and digits";
  if (sha256(leaves.join("")) !== sealed) return "the hashes of the cards are not those that were sealed";
  const places = Object.entries(opened);
  if (new Set(places.map(([, [card]]) => card)).size !== places.length) return "a card is there twice";
  const bad = places.find(([place, [card, salt]]) => sha256(`${salt}/${card}`) !== leaves[place]);
  if (bad) return `card ${bad[1][0]} did not lie at place ${Number(bad[0]) + 1}`;
  const from = order(commitment, cuts);
  const other = dealt.findIndex((card, n) => (opened[from[n]]?.[0] ?? null) !== card);
  if (other >= 0 || dealt.length > 52) return `card ${other + 1} that was dealt is not the sealed deck's`;
  return dealt.filter(Boolean).length === places.length ? "" : "a card was opened that was not dealt";
}

/** Whether the house signed this deck for this round; null where this browser cannot tell. */
async function signed({ round, commitment, signer, signature }) {
  if (!/^[0-9a-f]{64}$/.test(signer) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (each) => parseInt(each, 16));
  try {
    const key = await crypto.subtle.importKey("raw", bytes(signer), "Ed25519", false, ["verify"]);
    const text = new TextEncoder().encode(`pitboss/deck/${round}/${commitment}`);
    return await crypto.subtle.verify("Ed25519", key, bytes(signature), text);
  } catch { return null; }
}

const told = document.querySelector("#fair");
if (told) {
  const proof = JSON.parse(told.dataset.proof);
  const sealed = document.querySelector(".hash").textContent.trim();
  const [before, signer, signature] = (sessionStorage[`seal ${told.dataset.round}`] ?? "").split(" ");
  const cut = sessionStorage[`cut ${told.dataset.round}`];
  const seal = before ? { round: proof.round, commitment: before, signer, signature } : proof;
  const right = seal.signer ? await signed(seal) : null;
  const found = before && before !== sealed ? `before the round this page was shown another hash, ${before}, signed ${signature} by ${signer}`
    : proof.round !== told.dataset.round ? "the proof is of another round"
    : cut && told.dataset.seat && proof.cuts[told.dataset.seat] !== cut ? `it was not cut with ${cut}, which this page sent`
    : wrong(proof, sealed) || (right === false ? "the house's signature is not of this hash" : "");
  const again = document.querySelector(".again");
  again.querySelector("code").textContent = sha256(proof.leaves.join(""));
  again.hidden = false;
  for (const [place, [card, salt]] of Object.entries(proof.opened)) {
    const shown = document.querySelector(`.deck [data-place="${place}"]`), hash = sha256(`${salt}/${card}`);
    shown?.classList.add(hash === proof.leaves[place] ? "holds" : "fails");
    shown?.setAttribute("title", `${card} with its salt: ${hash}`);
  }
  const count = Object.keys(proof.opened).length;
  told.textContent = found ? `This does not hold: ${found}.`
    : `Checked by this page: all ${count} cards that were seen were dealt as the sealed deck says`
      + (before ? ", its hash is the one that was shown before the round" : "")
      + (cut ? ", it was cut with what this page sent" : "")
      + (right ? ", and the house signed it." : seal.signer ? ". This browser cannot check the house's signature." : ".");
  told.className = found ? "disproved" : "proved";
}
