// The Write tab, in a gr.HTML: `element` is its root, SAYS its words, EMPTY its empty picture. What is typed in the boxes
// beside it is scanned after a moment's rest and kept in this browser; help comes when it is asked for.
const REST = 150, PATIENCE = 30000, KEPT = "pingala-write"; // milliseconds; the name in this browser's storage
const BOXES = { text: "#write-text textarea", prose: "#write-prose textarea", metre: "#write-metre input" };
window.pingalaWrite?.abort(); // the tab may be drawn anew
const { signal } = (window.pingalaWrite = new AbortController());
const box = (name) => document.querySelector(BOXES[name]);
const typed = (name) => (name === "metre" ? box(name)?.dataset.name : box(name)?.value) ?? "";
const literal = (value) => {
  if (typeof value === "string") return value.replaceAll("\\", "\\\\").replaceAll("$", "\\$"); // see workbench/ui/literal.py
  if (Array.isArray(value)) return value.map(literal);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v)]));
  return value;
};
const SESSION = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
let picture = EMPTY, offers = [], asked = 0, timer = 0;

async function call(name, ...data) {
  const answer = await fetch(`gradio_api/run/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, signal: AbortSignal.timeout(PATIENCE),
    body: JSON.stringify({ data, session_hash: SESSION }),
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return (await answer.json()).data[0];
}
const show = (more = {}) => { props.value = literal({ ...picture, ...more }); };
const keep = () => {
  try { localStorage.setItem(KEPT, JSON.stringify({ text: typed("text"), prose: typed("prose") })); } catch { /* it keeps nothing */ }
};
// Svelte hears what is typed, not what is set: so it is told.
const put = (name, value) => {
  const field = box(name);
  if (!field) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

async function scan() {
  const number = ++asked;
  try {
    const found = await call("write_scan", typed("text"), typed("metre"));
    if (number !== asked) return; // more was typed meanwhile
    picture = found;
    offers = [];
    show();
  } catch { if (number === asked) show({ error: SAYS.noAnswer }); }
}
const rest = () => { keep(); clearTimeout(timer); timer = setTimeout(scan, REST); };

async function help(button) {
  const what = button.dataset.do, number = ++asked;
  show({ waiting: SAYS.waits });
  try {
    const found = what === "read" ? await call("write_read", typed("text"))
      : await call("write_help", what, typed("text"), typed("metre"), typed("prose"), Number(button.dataset.half ?? 0),
        Number(button.dataset.word ?? 0));
    if (number !== asked) return;
    offers = found.offers;
    show({ told: found.error, offers, sentence: found.sentence ?? "", reading: found.reading ?? "" });
    setTimeout(() => element.querySelector(".offers button.offer")?.focus());
  } catch { if (number === asked) show({ told: SAYS.noAnswer }); }
}

document.addEventListener("input", (event) => {
  if (event.target.matches?.(BOXES.text)) rest();
  else if (event.target.matches?.(BOXES.prose)) keep();
}, { signal });
// A metre that is chosen changes its box without a word.
let metre = typed("metre");
setInterval(() => { if (!signal.aborted && box("metre") && typed("metre") !== metre) { metre = typed("metre"); rest(); } }, 400);
element.addEventListener("click", (event) => {
  const taken = event.target.closest("button[data-take]");
  const button = event.target.closest("button[data-do]");
  if (taken) {
    put("text", offers[Number(taken.dataset.take)].typed);
    const field = box("text");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  } else if (button) help(button);
});
// What was typed before a reload comes back, once the boxes are there.
(function bringBack(tries) {
  if (!box("text")) { if (tries) setTimeout(bringBack, 100, tries - 1); return; }
  let before = null;
  try { before = JSON.parse(localStorage.getItem(KEPT)); } catch { /* nothing to bring back */ }
  if (before?.text && !typed("text")) put("text", String(before.text));
  if (before?.prose && !typed("prose")) put("prose", String(before.prose));
})(100);
