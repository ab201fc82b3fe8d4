// "Words that fit" under a fault in Scan: the first word that does not fit is looked for anew, as Write does it
// (workbench/ui/write_tab.py), and the one that is pressed is put into the text above, which is scanned again. MEND_SAYS
// has the words.
document.addEventListener("click", async (event) => {
  const PATIENCE = 30000, ask = event.target.closest?.("button[data-mend]"), take = event.target.closest?.("button[data-mended]");
  const place = (ask ?? take)?.closest(".mend"), field = document.querySelector("#scan-input textarea");
  if (!place) return;
  const { verse, metre } = place.dataset, list = place.querySelector("ul");
  const say = (told) => { place.querySelector("[role=status]").textContent = told; };
  const call = async (name, ...data) => {
    const answer = await fetch(`gradio_api/run/${name}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, signal: AbortSignal.timeout(PATIENCE),
      body: JSON.stringify({ data, session_hash: "mend" }),
    });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return (await answer.json()).data[0];
  };
  const part = (kind, className, textContent) => Object.assign(document.createElement(kind), { className, textContent });
  if (take) {
    const alone = document.querySelectorAll("#scan-result .verse").length === 1;
    // Among many, a verse is found in the text only as it is shown; else it is left to who wrote it.
    if (!alone && !field.value.includes(verse)) return say(MEND_SAYS.by_hand);
    field.value = alone ? take.dataset.mended : field.value.replace(verse, () => take.dataset.mended);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return document.querySelector("#scan-run").click();
  }
  if (ask.getAttribute("aria-busy") === "true") return;
  ask.setAttribute("aria-busy", "true");
  say(MEND_SAYS.waits);
  list.replaceChildren();
  try {
    const { mends, error } = await call("write_scan", verse, metre), [first] = mends;
    if (!first) return say(error || MEND_SAYS.none);
    const found = await call("write_help", "mend", verse, metre, "", first.half, first.word);
    say(found.error || `${found.sentence} ${MEND_SAYS.take}`);
    for (const offer of found.offers) {
      const button = part("button", "offer", ""), item = document.createElement("li");
      Object.assign(button, { type: "button" }).dataset.mended = offer.typed;
      const word = part("span", "sanskrit-cell", offer.text);
      word.lang = "sa";
      button.append(word, ...(offer.gloss ? [part("span", "quiet", offer.gloss)] : []));
      item.append(button);
      list.append(item);
    }
    list.querySelector("button")?.focus();
  } catch { say(MEND_SAYS.failed); } finally { ask.removeAttribute("aria-busy"); }
});
