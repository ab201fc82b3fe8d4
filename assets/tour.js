// The tour: a small panel that points at the page's own things, one after the other. It comes by itself once, to whoever
// opens the plain page for the first time; never to raters, never to who follows a link, and the button Tour brings it
// again. It stands beside the page, which goes on working under it. TOUR_SAYS has its words.
(() => {
  const SEEN = "pingala-tour"; // the name in this browser's storage
  // What each step points at, the first of each list that is in view; the steps' words have the same names.
  const AT = {
    prose: [["#prose"]],
    compose: [["#metre"], ["#compose"]],
    verse: [["#verse .grid-fold", "#verse .verse"]],
    reading: [["#reading .reading", "#score .meaning", "#verse .verse"]],
    tabs: [["#tabs [role=tablist]"]],
  };
  const CARD = ".asked"; // never covered, so that one can write and compose meanwhile
  const GAP = 16; // pixels between the panel and whatever it stands beside
  const steps = Object.keys(AT).filter((name) => TOUR_SAYS.steps[name]);
  const narrow = matchMedia("(max-width: 700px)");
  let panel = null, ring = null, at = 0, before = null, due = 0, watch = null;

  const recall = (name) => { try { return localStorage.getItem(name); } catch { return ""; } };
  const remember = () => { try { localStorage.setItem(SEEN, "seen"); } catch { /* it keeps nothing */ } };
  const seen = (place) => { const found = document.querySelector(place); return found?.checkVisibility() ? found : null; };
  const pointed = () => AT[steps[at]].map((places) => places.find(seen)).filter(Boolean);
  const make = (kind, given, ...inside) => {
    const made = Object.assign(document.createElement(kind), given);
    made.append(...inside);
    return made;
  };
  const button = (className, textContent, press) => {
    const made = make("button", { type: "button", className, textContent });
    made.addEventListener("click", press);
    return made;
  };

  const part = (name) => panel.querySelector(`.tour-${name}`);
  // A box around all that is pointed at.
  const around = (places) => {
    const boxes = places.map((place) => document.querySelector(place).getBoundingClientRect());
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    return { left: least("left"), top: least("top"), right: most("right"), bottom: most("bottom") };
  };
  const apart = (one, other) => one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;

  // Beside what is pointed at, where there is room; on a phone at the lower edge (the style sheet's business).
  const place = () => {
    due = 0;
    if (!panel) return;
    const here = pointed();
    // By a rule and not by a class: what is pointed at may be drawn anew at any time, and would lose a class. The margin is
    // for what is brought into view: on a phone it stands above the panel.
    ring.textContent = here.length ? `:is(${here.join(", ")}) { outline: 3px solid var(--accent); outline-offset: 4px;
      border-radius: 8px !important; scroll-margin: ${GAP}px 0 ${narrow.matches ? panel.offsetHeight + 2 * GAP : GAP}px; }` : "";
    panel.style.left = panel.style.top = "";
    if (narrow.matches) return;
    const { offsetWidth: width, offsetHeight: height } = panel;
    const right = innerWidth - width - GAP, bottom = innerHeight - height - GAP;
    const within = (value, most) => Math.max(GAP, Math.min(value, most));
    const corner = { left: right, top: bottom, right: innerWidth, bottom: innerHeight }; // where nothing is pointed at
    const thing = here.length ? around(here) : corner;
    const beside = here.some((name) => document.querySelector(name).closest(CARD)) ? around([...here, CARD]) : thing;
    const spots = [
      [beside.right + GAP, within(thing.top, bottom)], [within(thing.left, right), thing.bottom + GAP],
      [within(thing.right - width, right), thing.bottom + GAP], [thing.left - width - GAP, bottom],
      [within(thing.left, right), thing.top - height - GAP], [right, bottom], [right, GAP],
    ].map(([left, top]) => ({ left, top, right: left + width, bottom: top + height }));
    const inside = (spot) => spot.left >= GAP && spot.top >= GAP && spot.left <= right && spot.top <= bottom;
    const good = spots.filter((spot) => inside(spot) && (!seen(CARD) || apart(spot, around([CARD]))));
    const { left, top } = here.length ? good.find((spot) => apart(spot, thing)) ?? good[0] ?? corner : corner;
    panel.style.left = `${left}px`;
    panel.style.top = `${top}px`;
  };
  const soon = () => { due ||= requestAnimationFrame(place); };

  // At once and not smoothly: the panel goes with what it points at, and would move away under who presses it.
  const bring = () => {
    const [first] = pointed();
    if (!first) return;
    const thing = document.querySelector(first), { top, bottom } = thing.getBoundingClientRect();
    const floor = innerHeight - (narrow.matches ? panel.offsetHeight + GAP : 0);
    if (top >= 0 && bottom <= floor) return;
    thing.scrollIntoView({ block: bottom - top < floor ? "center" : "start", behavior: "instant" });
    place();
  };

  const show = () => {
    // Somebody may have gone to another tab meanwhile; all that is pointed at is on the first, but for the tabs.
    if (!pointed().length) document.querySelector("#tabs [role=tab][data-tab-id=compose]")?.click();
    const { title, text } = TOUR_SAYS.steps[steps[at]], last = at === steps.length - 1;
    part("count").textContent = TOUR_SAYS.count.replace("{step}", at + 1).replace("{steps}", steps.length);
    part("title").textContent = title;
    part("text").textContent = text;
    part("next").textContent = last ? TOUR_SAYS.done : TOUR_SAYS.next;
    if (!at && document.activeElement === part("back")) part("next").focus();
    part("back").hidden = !at;
    part("leave").hidden = last; // Done is the same
    requestAnimationFrame(() => { if (panel) { place(); bring(); } }); // another tab comes in the next frame
  };

  const leave = () => {
    if (!panel) return;
    const inside = panel.contains(document.activeElement);
    watch.disconnect();
    panel.remove();
    ring.remove();
    panel = null;
    if (inside && before?.isConnected) before.focus({ preventScroll: true });
  };
  const go = (by) => {
    at += by;
    if (at < steps.length) show(); else leave();
  };

  const open = (asked) => {
    leave();
    remember();
    at = 0;
    before = document.activeElement === document.body ? null : document.activeElement;
    ring = make("style", { id: "tour-ring" });
    panel = make("section", { id: "tour", tabIndex: -1 },
      make("div", { className: "tour-said" },
        make("p", { className: "tour-count quiet" }), make("h2", { className: "tour-title", id: "tour-title" }),
        make("p", { className: "tour-text", id: "tour-text" })),
      make("div", { className: "tour-moves" },
        button("action first tour-next", "", () => go(1)), button("action tour-back", TOUR_SAYS.back, () => go(-1)),
        button("plain tour-leave", TOUR_SAYS.leave, leave)));
    // Not modal: nothing of the page is taken away from anybody while it is open.
    for (const [name, value] of Object.entries({ role: "dialog", "aria-modal": "false", "aria-labelledby": "tour-title", "aria-describedby": "tour-text" })) {
      panel.setAttribute(name, value);
    }
    panel.firstElementChild.setAttribute("aria-live", "polite");
    document.head.append(ring);
    // First in the page, so that the keyboard goes on from it into the page; and where Gradio lets media queries reach.
    document.querySelector(".gradio-container .contain").prepend(panel);
    show();
    place();
    if (asked || !before) panel.focus({ preventScroll: true });
    watch = new ResizeObserver(soon); // a verse that comes moves what is under it
    watch.observe(document.querySelector("#tabs"));
  };

  addEventListener("resize", soon);
  document.addEventListener("scroll", soon, { capture: true, passive: true });
  document.addEventListener("click", (event) => { if (event.target.closest?.("button[data-tour]")) open(true); });
  // While it still goes down to where it was pressed: a list that is open there closes by it, and the tour stays.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && panel && !event.target.matches?.("[aria-expanded=true]")) leave();
  }, true);

  // By itself: on the plain page, which no link has filled with something, to nobody who rates, and only where the
  // browser can remember that it was here. What begins with two underscores is the host's, such as the theme.
  const linked = [...new URLSearchParams(location.search).keys()].some((name) => !name.startsWith("__"));
  if (linked || window.pingalaInvite || recall("pingala-rating") !== null || recall(SEEN) !== null) return;
  const ready = () => {
    if (!seen("#prose textarea") || !seen("#verse") || !seen("#tabs [role=tab][data-tab-id=about]")) return;
    waiting.disconnect();
    open(false);
  };
  const waiting = new MutationObserver(ready);
  waiting.observe(document.documentElement, { childList: true, subtree: true });
})();
