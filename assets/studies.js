// The studies that were made or opened in this browser, in a gr.HTML: `element` is its root, SAYS its words. Number, name
// and owner's token stay in this browser's storage, which only pages of the server they came from can read; a token is
// sent there and nowhere else, when its study is opened. The page hands what was opened to window.pingalaStudy.
const NAME = "pingala-studies", AT = "pingala-study"; // the latter, which one is open, ends with the window
const literal = (value) => {
  if (typeof value === "string") return value.replaceAll("\\", "\\\\").replaceAll("$", "\\$"); // see workbench/ui/literal.py
  if (Array.isArray(value)) return value.map(literal);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v)]));
  return value;
};
const isText = (...values) => values.every((value) => typeof value === "string");
const recall = () => {
  try {
    const found = JSON.parse(localStorage.getItem(NAME));
    return Array.isArray(found) ? found.filter((one) => one && isText(one.study, one.token, one.name)) : [];
  } catch { return []; }
};
const remembered = () => { try { return sessionStorage.getItem(AT) ?? ""; } catch { return ""; } };
let entries = recall(), told = "", chosen = "", sure = "";
const open = new Set(); // whose folds are

function keep() {
  try { localStorage.setItem(NAME, JSON.stringify(entries)); told = ""; } catch { told = SAYS.full; }
  show();
}

const time = (opened) => {
  const when = new Date(opened), now = new Date();
  if (now - when < 60000) return SAYS.now;
  const today = when.toDateString() === now.toDateString();
  return SAYS.opened.replace("{when}", () => today
    ? when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : when.toLocaleDateString());
};

function show() {
  props.value = literal({
    entries: entries.map((one) => ({
      study: one.study, name: one.name, when: time(one.opened), chosen: one.study === chosen, open: open.has(one.study),
      number: SAYS.number.replace("{study}", () => one.study),
      sure: one.study === sure ? SAYS.sure.replace("{name}", () => one.name) : "",
    })),
    empty: entries.length ? "" : SAYS.empty, told,
  });
}

// A study that was made or opened: it is known from now on, and stands first.
window.pingalaStudy = (record) => {
  let made;
  try { made = JSON.parse(record || "null"); } catch { return; }
  if (!made || (made.study === chosen && entries.some((one) => one.study === chosen && one.token === made.token))) return;
  chosen = made.study;
  try { sessionStorage.setItem(AT, chosen); } catch { /* it keeps nothing: a page loaded anew opens none by itself */ }
  entries = [{ ...made, opened: new Date().toISOString() }, ...recall().filter((one) => one.study !== made.study)];
  keep();
};

element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]"), what = button?.dataset.do;
  const one = entries.find((each) => each.study === button?.dataset.study);
  if (!one) return;
  if (what === "open") return trigger("select", { study: one.study, token: one.token });
  if (what === "copy") return window.pingalaCopy(button, one.token);
  open.add(one.study);
  sure = what === "forget" ? one.study : "";
  if (what === "surely") entries = entries.filter((each) => each !== one);
  keep();
  // What was pressed is drawn anew: the keyboard stays where it was.
  const next = what === "forget" ? "surely" : "forget";
  setTimeout(() => (element.querySelector(`button[data-do="${next}"][data-study="${one.study}"]`)
    ?? element.querySelector("button[data-do=open]"))?.focus());
});
element.addEventListener("toggle", (event) => {
  const { study } = event.target.dataset ?? {};
  if (study && event.target.isConnected) open[event.target.open ? "add" : "delete"](study);
}, true);
// Another tab of this browser may have made one.
window.pingalaStudyEvents?.abort();
window.pingalaStudyEvents = new AbortController();
addEventListener("storage", (event) => { if (event.key === NAME) { entries = recall(); show(); } },
  { signal: window.pingalaStudyEvents.signal });
// Gradio lays its own first picture over one that comes too early, and on a busy machine that may take long.
const missing = () => entries.length && !element.querySelector(".study-name");
let due = 0;
new MutationObserver(() => { due ||= setTimeout(() => { due = 0; if (missing()) show(); }, 200); })
  .observe(element, { childList: true, subtree: true });
(function begin(tries) {
  show();
  if (tries) setTimeout(() => { if (missing()) begin(tries - 1); }, 200);
})(300);
// A page that is loaded anew opens again what was open.
const last = entries.find((one) => one.study === remembered());
if (last) setTimeout(() => trigger("select", { study: last.study, token: last.token }), 300);
