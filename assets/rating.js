// The Rate tab, in a gr.HTML: `element` is its root, `props.value` what its template, assets/rating.html, shows; SAYS, EMPTY and OFFERED stand before.
// It sends what a rater does to the rate_* endpoints and shows the screen that comes back. What is typed is kept in this
// browser until the server has said that it is saved; a submission sent twice carries the same key and counts once.
const KEPT = "pingala-rating", DRAFTS = "pingala-rating-drafts", SENT = "pingala-rating-sent";
const PATIENCE = 60000; // milliseconds for an answer
window.pingalaRating?.abort(); // the tab may be drawn anew
const { signal } = (window.pingalaRating = new AbortController());

const recall = (name) => { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } };
const keep = (name, value) => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch { /* a browser that keeps nothing: this page works, only reopening it needs the link again */ }
};
// Only secure addresses have randomUUID; a workbench in the house next door may have none.
const newKey = () => crypto.randomUUID?.()
  ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
// Gradio reads the filled template as a template literal: see workbench/ui/literal.py.
const literal = (value) => {
  if (typeof value === "string") return value.replaceAll("\\", "\\\\").replaceAll("$", "\\$");
  if (Array.isArray(value)) return value.map(literal);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, literal(v)]));
  return value;
};

const SESSION = newKey(); // without one, Gradio lays out the whole page anew for every call
let who = window.pingalaInvite ?? recall(KEPT);
let screen = null, busy = false, sent = recall(SENT), lastKeyed = null;
let drafts = recall(DRAFTS) ?? {};
let script = recall("pingala-rating-script");
if (!OFFERED.includes(script)) script = EMPTY.script; // what was chosen once may be offered no more

const $ = (selector) => element.querySelector(selector);
const all = (selector) => [...element.querySelectorAll(selector)];
const draftName = () => `${who.study}/${screen.showing.position}`;
const answers = () => drafts[draftName()] ?? screen.showing.answers;
const byControl = (control) => screen.questions.filter((question) => question.control === control);
const say = (text, bad = false) => {
  const line = $("#rate-told") ?? $("#rate-done-told") ?? $("#rate-consent-told");
  if (line) { line.textContent = text; line.classList.toggle("bad", bad); }
};

const AGAIN = 20, PAUSE = 2000; // a server that is busy is asked so often again, and after so many milliseconds
async function call(name, ...data) {
  for (let tries = 0; ; tries++) {
    const next = await once(name, ...data);
    if (!next.retry || tries === AGAIN) return next;
    say(SAYS.busy, true);
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

async function once(name, ...data) {
  const answer = await fetch(`gradio_api/run/rate_${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, signal: AbortSignal.timeout(PATIENCE),
    body: JSON.stringify({ data: [who.study, who.token, ...data, script], session_hash: SESSION }),
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return (await answer.json()).data[0];
}

function show(next, moved = true) {
  screen = next;
  lastKeyed = null;
  props.value = literal({ ...EMPTY, ...next });
  return new Promise((done) => setTimeout(() => { place(); if (moved) look(); done(); })); // after the template is drawn
}

function door(error = "") {
  screen = null;
  props.value = literal({ ...EMPTY, door: true, error });
  setTimeout(() => {
    if ($("#rate-study")) $("#rate-study").value = who?.study ?? new URLSearchParams(location.search).get("study") ?? "";
    if ($("#rate-token")) $("#rate-token").value = "";
  });
}

// A link that opens nothing is forgotten here.
function refused(next) {
  if (next.closed) keep(KEPT, null);
  return next.closed || !screen ? door(next.error) : say(next.error, true);
}

// The eye, and a screen reader, go to the new verse.
function look() {
  const verse = $("#rate-verse") ?? $("#rate-done");
  if (!verse) return;
  verse.focus({ preventScroll: true });
  if (verse.getBoundingClientRect().top < 0) verse.scrollIntoView({ block: "start" });
}

// Answers stand in properties of the form, which a template cannot set.
function place() {
  for (const [id, value] of [["#rate-script", script], ["#rate-jump", screen?.progress?.position ?? 0]]) {
    if ($(id)) $(id).value = String(value);
  }
  if (!screen?.showing) return;
  const given = answers();
  const marking = byControl("words")[0];
  for (const radio of all("input[type=radio]")) {
    radio.checked = String(given[radio.name.slice("rate-".length)]) === radio.value;
  }
  for (const box of all("textarea[data-comment]")) box.value = given[box.dataset.comment] ?? "";
  for (const word of all("[data-word]")) {
    const found = marking ? (given[marking.name] ?? []).filter((one) => one.word === Number(word.dataset.word)) : [];
    const mark = found.map((one) => one.mark).join(", ");
    word.dataset.mark = mark;
    word.disabled = !marking;
    word.setAttribute("aria-label", `${word.textContent}: ${mark || SAYS.unmarked}`);
  }
  const { position, had } = screen.progress;
  $("#rate-previous").disabled = position === 1;
  $("#rate-following").disabled = position === had;
  ready();
}

const unanswered = () => screen.questions.find((one) => one.required && (answers()[one.name] ?? null) === null);

function ready() {
  const missing = unanswered();
  $("#rate-submit").setAttribute("aria-disabled", String(Boolean(missing)));
  say(missing ? SAYS.missing.replace("{label}", missing.label) : SAYS.ready);
}

function answer(name, value) {
  drafts[draftName()] = { ...answers(), [name]: value };
  keep(DRAFTS, drafts);
  ready();
}

function mark(word) {
  const marking = byControl("words")[0];
  if (!marking) return;
  const { name, marks } = marking;
  const others = (answers()[name] ?? []).filter((one) => one.word !== word);
  const now = (answers()[name] ?? []).find((one) => one.word === word)?.mark;
  const next = marks[marks.indexOf(now) + 1];
  answer(name, next ? [...others, { word, mark: next }] : others);
  place();
}

// One thing at a time; what could not be sent is sent again with its own key.
async function send(name, given, said) {
  if (busy) return;
  busy = true;
  const body = JSON.stringify([who.study, name, ...given]);
  if (sent?.body !== body) sent = { body, key: newKey() };
  keep(SENT, sent);
  const at = screen.showing ? draftName() : null;
  say(SAYS.saving);
  try {
    const next = await call(name, ...given, sent.key);
    if (next.error) return refused(next);
    sent = null;
    keep(SENT, sent);
    delete drafts[at];
    if (next.showing && name === "undo") delete drafts[`${who.study}/${next.showing.position}`];
    keep(DRAFTS, drafts);
    await show(next);
    if ($("#rate-told")) say(`${said} ${$("#rate-told").textContent}`);
  } catch {
    say(SAYS.lost, true);
  } finally {
    busy = false;
  }
}

function submit() {
  if (unanswered()) return ready();
  const given = answers();
  const whole = screen.questions.map((one) => {
    const value = given[one.name] ?? null;
    return [one.name, value?.length === 0 ? null : value]; // an empty text or list is no answer
  });
  return send("submit", [screen.showing.position, Object.fromEntries(whole)], SAYS.saved);
}

async function go(position, moved = true) {
  if (busy) return;
  busy = true;
  try {
    const next = await call("show", position);
    if (next.error) return refused(next);
    await show(next, moved);
  } catch {
    if (screen) say(SAYS.lost, true); else door(SAYS.lost);
  } finally {
    busy = false;
  }
}

async function begin() {
  if (!$("#rate-consent").checked) return say(SAYS.consent, true);
  const background = Object.fromEntries(all("[data-background]").map((field) => [field.dataset.background, field.value]));
  try {
    const next = await call("consent", background);
    return next.error ? say(next.error, true) : await show(next);
  } catch {
    return say(SAYS.lost, true);
  }
}

function enter() {
  who = { study: $("#rate-study").value.trim(), token: $("#rate-token").value.trim() };
  keep(KEPT, who);
  return go(0);
}

function leave() {
  who = null;
  drafts = {};
  sent = null;
  for (const name of [KEPT, DRAFTS, SENT]) keep(name, null);
  delete window.pingalaInvite;
  door();
}

const position = () => screen.progress.position;
const DEEDS = {
  "rate-open": enter,
  "rate-begin": begin,
  "rate-submit": submit,
  "rate-skip": () => send("skip", [screen.showing.position], SAYS.skipped),
  "rate-undo": () => send("undo", [], SAYS.undone),
  "rate-previous": () => go(Math.max(1, (position() || screen.progress.had + 1) - 1)),
  "rate-following": () => go(position() ? Math.min(screen.progress.had, position() + 1) : 0),
  "rate-next": () => go(0),
  "rate-leave": leave,
};

element.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.word !== undefined) mark(Number(button.dataset.word));
  else DEEDS[button?.id]?.();
}, { signal });
element.addEventListener("input", (event) => {
  const { target } = event;
  if (target.type === "radio") {
    const name = target.name.slice("rate-".length);
    const { points } = screen.questions.find((question) => question.name === name);
    answer(name, points.find((point) => String(point.value) === target.value).value);
  } else if (target.dataset.comment) answer(target.dataset.comment, target.value);
}, { signal });
element.addEventListener("change", (event) => {
  if (event.target.id === "rate-jump" && event.target.value !== "0") go(Number(event.target.value));
  if (event.target.id === "rate-script") {
    script = event.target.value;
    keep("pingala-rating-script", script);
    go(position(), false);
  }
}, { signal });

// 1 to 5 choose a point for the question in focus, or the first without an answer, or the one answered last; Enter submits.
function answerByKey(number) {
  const scales = byControl("points");
  const focused = document.activeElement?.closest?.("[data-question]")?.dataset.question;
  const open = scales.find((question) => (answers()[question.name] ?? null) === null)?.name;
  const name = focused ?? open ?? lastKeyed ?? scales[0].name;
  const point = scales.find((question) => question.name === name).points[number - 1];
  if (!point) return;
  lastKeyed = name;
  answer(name, point.value);
  place();
  const next = scales.find((question) => (answers()[question.name] ?? null) === null);
  ($(`[data-question="${next?.name}"] input`) ?? $("#rate-submit")).focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && ["rate-study", "rate-token"].includes(event.target.id)) return void enter();
  if (!screen?.showing || element.offsetParent === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target !== document.body && !element.contains(target)) return;
  if (target.matches?.("textarea, select, input:not([type=radio])")) return;
  if (/^[1-5]$/.test(event.key)) {
    event.preventDefault();
    answerByKey(Number(event.key));
  } else if (event.key === "Enter" && !event.repeat && !target.closest?.("button, summary, a")) {
    event.preventDefault();
    submit();
  }
}, { signal });

const asked = new URLSearchParams(location.search).get("study");
if (who?.study && (!asked || who.study === asked)) go(0); else door();
