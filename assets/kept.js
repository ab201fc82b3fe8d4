// The list of what was made, in a gr.HTML: `element` is its root, SAYS its words. Entries live in this browser's storage
// and nowhere else: prose, settings (as a link), verse, score, time. The page hands new ones to window.pingalaKept.
const NAME = "pingala-kept", MOST = 500;
const literal = (value) => {
  if (typeof value === "string") return value.replaceAll("\\", "\\\\").replaceAll("$", "\\$"); // see workbench/ui/literal.py
  if (Array.isArray(value)) return value.map(literal);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v)]));
  return value;
};
const recall = () => {
  try {
    const found = JSON.parse(localStorage.getItem(NAME));
    return Array.isArray(found) ? found.filter((one) => one && typeof one.slp1 === "string" && typeof one.id === "string") : [];
  } catch { return []; }
};
let entries = recall(), told = "", naming = "", sure = "", first = null, chosen = "";
const open = new Set(); // whose folds are

function keep() {
  // Pinned ones stay; of the others the oldest go first when there are too many.
  while (entries.length > MOST) {
    const last = entries.findLastIndex((one) => !one.pinned);
    entries.splice(last < 0 ? entries.length - 1 : last, 1);
  }
  try { localStorage.setItem(NAME, JSON.stringify(entries)); told = ""; } catch { told = SAYS.full; }
  show();
}

const time = (made) => {
  const when = new Date(made), now = new Date();
  if (now - when < 60000) return SAYS.now;
  return when.toDateString() === now.toDateString()
    ? when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : when.toLocaleDateString();
};

function show() {
  const shown = [...entries.filter((one) => one.pinned), ...entries.filter((one) => !one.pinned)].map((one) => ({
    id: one.id, name: one.name ?? "", first: (one.text?.[0] ?? one.slp1).replace(/\s*[।|॥]+\s*$/, ""), prose: one.prose,
    figure: [one.score, one.pinned ? SAYS.pinned : time(one.made)].filter(Boolean).join(" · "),
    open: open.has(one.id), naming: one.id === naming, sure: one.id === sure, chosen: one.id === chosen,
    pin: one.pinned ? SAYS.unpin : SAYS.pin, comparing: one.id === first,
    compare: one.id === first ? SAYS.comparing : SAYS.compare,
  }));
  props.value = literal({ entries: shown, empty: shown.length ? "" : SAYS.empty, told });
}

// Each verse that is made, or brought back, is a step of the browser's history: Back returns to the one before.
let query = location.search; // as it was last looked at
const address = (link, verse) => {
  const found = new URLSearchParams(link || location.search), theme = new URLSearchParams(location.search).get("__theme");
  if (verse) found.set("verse", verse); // for whoever shows a picture of the link: workbench/ui/preview.py
  if (theme) found.set("__theme", theme); // stays what it was
  return `?${found}`;
};
const step = (state, link, instead) => {
  history[instead ? "replaceState" : "pushState"](state, "", address(link, entries.find((one) => one.id === state?.verse)?.slp1));
  query = location.search;
};
const same = (state) => history.state?.verse === state.verse && history.state?.example === state.example;
window.pingalaAddress = (link) => { if (link) step(history.state, link, true); };
window.pingalaExample = (number, link) => step({ example: number }, link, same({ example: number }));
// What came of a press: kept, and told to the browser; whoever came by a link is where they are already.
window.pingalaMade = (link, record) => {
  const linked = document.documentElement.classList.contains("by-link");
  document.documentElement.classList.remove("by-link");
  const last = pingalaKept(record);
  if (last) step({ verse: last.id }, link || last.link, linked || same({ verse: last.id }));
};
// Prose that is in the box and nowhere else is not written over by a verse that comes back.
const typed = () => {
  const prose = document.querySelector("#prose textarea")?.value ?? "";
  return Boolean(prose.trim()) && !entries.some((one) => one.prose === prose);
};

window.pingalaKept = (record) => {
  let made, fresh = null;
  try { made = JSON.parse(record || "[]"); } catch { return null; }
  for (const one of made) {
    const known = entries.find((other) => other.slp1 === one.slp1 && other.prose === one.prose);
    fresh = { ...known, ...one, id: known?.id ?? newKey(), made: new Date().toISOString() };
    entries = [fresh, ...entries.filter((other) => other !== known)];
    chosen = fresh.id;
  }
  if (fresh) keep();
  return fresh;
};
window.pingalaTake = (file) => {
  let told;
  try { told = JSON.parse(file || "null"); } catch { return; }
  if (!told) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([told.text], { type: "text/plain;charset=utf-8" }));
  link.download = told.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const newKey = () => crypto.randomUUID?.()
  ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (!button) return;
  const { id, form } = button.dataset, what = button.dataset.do, one = entries.find((each) => each.id === id);
  if (what === "take") return trigger("submit", { action: "export", form, entries });
  if (!one) return;
  if (what === "back") {
    chosen = id;
    show();
    step({ verse: id }, one.link, same({ verse: id }));
    return trigger("select", { entry: one });
  }
  open.add(id);
  if (what === "pin") one.pinned = !one.pinned;
  if (what === "name") naming = id;
  if (what === "delete") sure = id;
  if (what === "keep") sure = "";
  if (what === "surely") { entries = entries.filter((each) => each !== one); sure = ""; }
  if (what === "compare") {
    const other = entries.find((each) => each.id === first);
    if (other && other !== one) { trigger("submit", { action: "compare", entries: [other, one] }); first = null; }
    else first = other === one ? null : id;
  }
  keep();
  // What was pressed is drawn anew: the keyboard stays where it was.
  setTimeout(() => (element.querySelector(naming ? ".kept-naming input" : sure ? `button[data-do="surely"]`
    : `button[data-do="${what}"][data-id="${id}"]`) ?? element.querySelector("button.kept-verse"))?.focus());
});
element.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target.closest("form[data-id]"), one = entries.find((each) => each.id === form?.dataset.id);
  if (one) one.name = form.querySelector("input").value.trim();
  naming = "";
  keep();
  setTimeout(() => element.querySelector(`button[data-do="name"][data-id="${one?.id}"]`)?.focus());
});
element.addEventListener("toggle", (event) => {
  const { id } = event.target.dataset ?? {};
  if (id && event.target.isConnected) open[event.target.open ? "add" : "delete"](id);
}, true);
// Another tab of this browser may have kept something.
window.pingalaKeptEvents?.abort();
window.pingalaKeptEvents = new AbortController();
addEventListener("storage", (event) => { if (event.key === NAME) { entries = recall(); show(); } },
  { signal: window.pingalaKeptEvents.signal });
addEventListener("popstate", () => {
  const here = history.state, one = entries.find((each) => each.id === here?.verse);
  if (!here && location.search === query) return; // only what stands after # has changed
  query = location.search;
  chosen = one?.id ?? "";
  show();
  if (one) return trigger("select", { entry: one, typed: typed() });
  if (here?.verse && new URLSearchParams(query).has("prose")) return location.reload(); // deleted here: its link makes it anew
  document.documentElement.classList.remove("by-link");
  trigger("select", { example: here?.example ?? 0 });
}, { signal: window.pingalaKeptEvents.signal });
// Gradio lays its own first picture over one that comes too early.
(function begin(tries) {
  show();
  if (entries.length && tries) setTimeout(() => { if (!element.querySelector(".kept-verse")) begin(tries - 1); }, 200);
})(50);
