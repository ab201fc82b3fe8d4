// An invitation's token stands after #, which no browser sends anywhere; it leaves the address bar too, and this browser
// keeps it, so that the rater can close the page and open it again. Links of before had it in the query.
(() => {
  const link = new URLSearchParams(location.search), token = new URLSearchParams(location.hash.slice(1)).get("invite")
    ?? link.get("invite");
  if (!token) return;
  window.pingalaInvite = { study: link.get("study") ?? "", token };
  try { localStorage.setItem("pingala-rating", JSON.stringify(window.pingalaInvite)); } catch { /* it keeps nothing */ }
  link.delete("invite");
  history.replaceState(null, "", `?${link}`);
})();
// A link pasted over a page that is open already changes only what stands after #, which loads nothing by itself.
addEventListener("hashchange", () => { if (new URLSearchParams(location.hash.slice(1)).has("invite")) location.reload(); });

// Whoever comes by a rater's link sees their task and nothing else (assets/studies.css), also when they come back to it.
document.documentElement.classList.toggle("by-invitation", new URLSearchParams(location.search).has("study"));

// A link's tab, a rater's or that of a verse to scan, is pressed as a person would as soon as it is there:
// no need to ask the server.
(() => {
  const link = new URLSearchParams(location.search);
  const wanted = link.has("study") ? "rate" : link.has("scan") ? "scan" : "";
  if (!wanted) return;
  const open = () => {
    const tabs = [...document.querySelectorAll("#tabs button[role=tab]")];
    const tab = tabs.find((one) => one.dataset.tabId === wanted);
    if (!tab || !tabs.some((one) => one.dataset.tabId === "about")) return; // the last one stands: all do
    watch.disconnect();
    setTimeout(() => tab.click(), 0);
  };
  const watch = new MutationObserver(open);
  watch.observe(document.documentElement, { childList: true, subtree: true });
})();

// Whoever comes by the link of a verse waits for that verse, and is shown no example meanwhile.
document.documentElement.classList.toggle("by-link", new URLSearchParams(location.search).has("prose"));

// A verse that arrives is announced and brought into view; the keyboard goes to it unless somebody is typing already.
(() => {
  let typing = false; // since the last press
  document.addEventListener("input", () => { typing = true; }, true);
  document.addEventListener("click", (event) => { if (event.target.closest?.("button")) typing = false; }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.shiftKey) typing = false; }, true);
  const announcer = Object.assign(document.createElement("div"), { id: "announcer", className: "sr-only" });
  announcer.setAttribute("aria-live", "polite");
  const stand = () => document.body.append(announcer); // before anything is said: what comes with its words is not read
  if (document.body) stand(); else addEventListener("DOMContentLoaded", stand);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const drawn = (work) => requestAnimationFrame(() => requestAnimationFrame(work));
  const bring = (place) => {
    const { top } = place.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) place.scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
  };
  const place = () => document.querySelector("#verse .verse") ?? document.querySelector("#verse [role=alert]");
  const say = () => { announcer.textContent = document.querySelector("#verse .verse")?.dataset.arrival ?? ""; };
  window.pingalaArrived = () => drawn(() => {
    const verse = place();
    if (!verse || verse.matches(".example") || verse.closest("[hidden]")) return;
    say();
    if (typing) return;
    verse.querySelector("h2")?.focus({ preventScroll: true });
    bring(verse);
  });
  // Another candidate, an example, a verse of the list: it may stand far from where it was chosen.
  window.pingalaChosen = () => drawn(() => {
    const verse = place();
    if (!verse) return;
    say();
    bring(verse);
  });
})();

// Ctrl+Enter (or Cmd+Enter) presses the main button of the tab that is in view.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const button = [...document.querySelectorAll("button.main-action")].find((one) => one.offsetParent && !one.disabled);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// What Gradio leaves unnamed: a slider's button that sets it back says of what, and in which fold where two are called the
// same; a figure that is still empty is a picture; the keyboard stops at a table that scrolls and has no stop inside, and at
// no other. Sliders in a fold are drawn when it is opened.
(() => {
  const usual = "Reset to default value";
  let due = 0;
  const name = () => {
    due = 0;
    for (const button of document.querySelectorAll(`button[aria-label="${usual}"]`)) {
      const label = button.closest(".block")?.querySelector("label span, [data-testid=block-info]")?.textContent.trim();
      const fold = button.closest("#compare-with")?.querySelector(".label-wrap span")?.textContent.trim();
      if (!label) continue;
      button.setAttribute("aria-label", `${usual}: ${[fold, label].filter(Boolean).join(", ")}`);
      button.title = button.getAttribute("aria-label");
    }
    for (const empty of document.querySelectorAll(".empty[aria-label]:not([role])")) empty.setAttribute("role", "img");
    for (const box of document.querySelectorAll(":is(.table-scroll, .grid-scroll):not([aria-hidden])")) {
      const scrolls = box.scrollWidth > box.clientWidth && !box.querySelector("button, [tabindex]");
      if (scrolls !== box.hasAttribute("tabindex")) box.toggleAttribute("tabindex", scrolls);
      if (scrolls) box.tabIndex = 0;
    }
  };
  const soon = () => { due ||= setTimeout(name, 300); };
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true });
  addEventListener("resize", soon);
  addEventListener("toggle", soon, true);
  addEventListener("click", soon, true); // a tab or a step that comes into view changes nothing but styles
})();

// The grid under a verse stays folded for whoever folded it, whatever verse is drawn after that; on this device.
(() => {
  const KEPT = "pingala-grid-folded";
  let folded = false;
  try { folded = localStorage.getItem(KEPT) === "yes"; } catch { /* it keeps nothing */ }
  const apply = () => { for (const fold of document.querySelectorAll(".grid-fold")) fold.open = !folded; };
  new MutationObserver(apply).observe(document.documentElement, { childList: true, subtree: true });
  addEventListener("toggle", (event) => { // comes after what the observer did to a new one
    if (!event.target.matches?.(".grid-fold")) return;
    folded = !event.target.open;
    try { localStorage.setItem(KEPT, folded ? "yes" : "no"); } catch { /* it keeps nothing */ }
  }, true);
})();

// A list that was left by Tab closes; Gradio's own stays open over the page. Escape is what it understands.
document.addEventListener("keydown", (event) => {
  const box = event.target;
  if (event.key !== "Tab" || !box.matches?.("input[aria-expanded]")) return;
  setTimeout(() => {
    if (box.getAttribute("aria-expanded") === "true" && box !== document.activeElement) {
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    }
  });
}, true);

// A tile's reason, on hover and on focus. It stands outside the grid, which scrolls and would cut it off.
(() => {
  const hide = () => document.getElementById("reason")?.remove();
  const show = (event) => {
    const tile = event.target.closest?.(".tile[data-why]");
    hide();
    if (!tile) return;
    const note = document.createElement("div");
    note.id = "reason";
    note.setAttribute("aria-hidden", "true"); // the tile's label says the same
    note.textContent = tile.dataset.why;
    (document.querySelector(".gradio-container") || document.body).append(note);
    const at = tile.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.left + at.width / 2 - note.offsetWidth / 2), innerWidth - note.offsetWidth - 8);
    const above = at.top - note.offsetHeight - 8;
    note.style.left = `${left}px`;
    note.style.top = `${above > 8 ? above : at.bottom + 8}px`;
  };
  document.addEventListener("mouseover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", hide, true);
})();

// A text into the clipboard; the button that asked says so for a moment.
window.pingalaCopy = async (button, text) => {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    window.prompt("Copy this:", text); // no clipboard here: an unencrypted address, or a browser that forbids it
  }
  button.setAttribute("aria-live", "polite");
  setTimeout(() => { button.textContent = label; }, 1500);
};

// "copy" copies the verse, "share" the link that opens this page again.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-copy], button[data-share]");
  if (button) pingalaCopy(button, button.dataset.copy ?? location.href);
});

// A number in a summary opens what it names and goes there.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-jump]");
  const place = button && document.getElementById(button.dataset.jump);
  if (!place) return;
  place.open = true;
  place.scrollIntoView({ block: "start", behavior: "smooth" });
  place.querySelector("summary")?.focus({ preventScroll: true });
});
