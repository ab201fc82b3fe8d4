// A chooser of metres, in a gr.HTML whose value is a metre's name: a box, and under it a list that is searched as it is
// typed into. window.pingalaMetres has the metres and how their names are spelled (workbench/ui/metre_chooser.py).
window.pingalaChooser = (element, trigger, props, watch, words) => {
  const { metres, spellings } = window.pingalaMetres, AUTO = "auto", LONGEST = 200;
  const rules = spellings.map(([written, plain]) => [new RegExp(written, "g"), plain]);
  const box = element.querySelector("input"), list = element.querySelector("[role=listbox]");
  const told = element.querySelector("[role=status]");
  const auto = words.auto ? [{ name: AUTO, shown: words.auto, pattern: "", also: "", group: "", keys: [], nagari: [], length: [] }] : [];
  const all = [...auto, ...metres];
  let active = -1, typed = false, options = [];

  // As plain_name of workbench/prosody/metres.py, whose spellings these are.
  const plain = (text) => rules.reduce(
    (name, [written, to]) => name.replace(written, to),
    text.slice(0, LONGEST).toLowerCase().normalize("NFD").replace(/[^\p{L}\p{N}]/gu, ""),
  );
  // As `search` there: a whole name, then one that begins so, then one that has it; the common ones first.
  const search = (text) => {
    const nagari = /[\u0900-\u097f]/.test(text), asked = nagari ? text.trim() : plain(text);
    if (!asked) return all;
    if (/^\d+$/.test(asked)) return metres.filter((one) => one.length.length === 1 && one.length[0] === Number(asked));
    const rank = (one) => Math.min(...(nagari ? one.nagari : one.keys).map(
      (name) => (name === asked ? 0 : name.startsWith(asked) ? 1 : name.includes(asked) ? 2 : 3),
    ), 3);
    return metres.map((one) => [rank(one), one]).filter(([at]) => at < 3).sort(([a], [b]) => a - b).map(([, one]) => one);
  };

  const show = () => {
    box.dataset.name = props.value ?? "";
    if (!typed) box.value = all.find((one) => one.name === props.value)?.shown ?? props.value ?? "";
  };
  const opened = () => !list.hidden;
  const part = (tag, name, text, parent) => {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const draw = (found, grouped) => {
    list.replaceChildren();
    options = [];
    let group = list, heading = "";
    for (const one of found) {
      if (grouped && one.group !== heading) {
        heading = one.group;
        group = part("div", "chooser-group", "", list);
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", heading);
        part("div", "chooser-heading", heading, group).setAttribute("aria-hidden", "true");
      }
      const option = part("div", "chooser-option", "", group);
      option.id = `${list.id}-${options.length}`;
      option.dataset.name = one.name;
      option.setAttribute("role", "option");
      option.setAttribute("aria-label", one.shown);
      option.setAttribute("aria-selected", String(one.name === props.value));
      part("span", "chooser-name", one.shown, option);
      if (one.also && !grouped) part("span", "chooser-also", one.also, option);
      if (one.pattern) part("span", `chooser-pattern${/\p{L}/u.test(one.pattern) ? " in-words" : ""}`, one.pattern, option);
      options.push(option);
    }
    if (!found.length) part("p", "chooser-none", words.none, list);
    told.textContent = found.length ? words.found.replace("{count}", found.length) : words.none;
  };
  const mark = (at) => {
    options[active]?.classList.remove("active");
    active = options.length ? (at + options.length) % options.length : -1;
    const option = options[active];
    if (!option) return box.removeAttribute("aria-activedescendant");
    option.classList.add("active");
    box.setAttribute("aria-activedescendant", option.id);
    const top = option.offsetTop, bottom = top + option.offsetHeight; // the list scrolls, never the page
    if (top < list.scrollTop + 30) list.scrollTop = top - 30; // a group's heading may cover so much
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  };
  // Under its box, or over it where there is more room; outside the flow, since cards and rows are narrow.
  const place = () => {
    const at = box.getBoundingClientRect(), width = Math.min(Math.max(at.width, 420), innerWidth - 16);
    const below = innerHeight - at.bottom - 12, above = at.top - 12, under = below >= 240 || below >= above;
    Object.assign(list.style, {
      width: `${width}px`, left: `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`,
      maxHeight: `${Math.max(120, Math.min(430, under ? below : above))}px`,
      top: under ? `${at.bottom + 4}px` : "auto", bottom: under ? "auto" : `${innerHeight - at.top + 4}px`,
    });
  };
  const open = () => {
    if (opened()) return;
    draw(all, true);
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    place();
    mark(Math.max(0, options.findIndex((option) => option.dataset.name === props.value)));
  };
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    options = [];
    active = -1;
    typed = false;
    told.textContent = "";
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
    show();
  };
  const choose = (option) => {
    const name = option?.dataset.name;
    close();
    if (!name || name === props.value) return;
    props.value = name;
    show();
    trigger("input");
  };

  box.addEventListener("focus", () => box.select());
  box.addEventListener("mousedown", () => { if (document.activeElement === box && opened()) return; setTimeout(open); });
  box.addEventListener("click", () => { if (!typed) box.select(); });
  box.addEventListener("input", () => {
    open();
    typed = true;
    draw(search(box.value), !box.value.trim());
    list.scrollTop = 0;
    active = -1;
    mark(0);
  });
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      event.preventDefault();
      if (!opened()) return open();
      mark(Math.abs(step) === 1 ? active + step : Math.max(0, Math.min(options.length - 1, active + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (opened()) choose(options[active]); else open();
    } else if (event.key === "Escape" && opened()) {
      event.preventDefault();
      event.stopPropagation();
      close();
      box.select();
    }
  });
  // Who leaves after typing means what is marked; who only looked changes nothing.
  box.addEventListener("blur", () => { if (opened()) { if (typed && box.value.trim()) choose(options[active]); else close(); } });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
  list.addEventListener("click", (event) => { const option = event.target.closest("[role=option]"); if (option) choose(option); });
  addEventListener("scroll", (event) => { if (opened() && event.target !== list) place(); }, true);
  addEventListener("resize", () => { if (opened()) place(); });
  watch("value", () => { if (!typed) show(); else box.dataset.name = props.value ?? ""; });
  show();
};
