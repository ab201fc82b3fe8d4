// "Hear it" under a grid: its rhythm, by this browser's own sound, with nothing fetched: a mātrā for a laghu, two for a
// guru, a rest where there is a pause, each tile lit while it sounds; and the device's own voice, where it has one for
// Sanskrit or Hindi. One thing sounds at a time. HEAR_SAYS has the words, the letters and the tempo's bounds.
(() => {
  const KEPT = "pingala-tempo", SOON = 0.08; // the name in this browser's storage; seconds before the first sound
  const PITCH = { guru: 220, laghu: 330 }, REST = 1, HALF = 2; // hertz; mātrās after a pāda or at a pause, after a half
  const { least, most, usual } = HEAR_SAYS.tempo; // mātrās a minute
  let sound = null, playing = null;

  const recall = () => { try { return Number(localStorage.getItem(KEPT)) || usual; } catch { return usual; } };
  const remember = (tempo) => { try { localStorage.setItem(KEPT, tempo); } catch { /* it keeps nothing */ } };
  const tempo = () => Math.min(most, Math.max(least, recall()));
  const near = (place, wanted) => {
    let box = place;
    while (box && !box.querySelector(wanted)) box = box.parentElement;
    return box?.querySelector(wanted);
  };

  // What a grid sounds like: its tiles, how many mātrās each lasts, and how many of silence come before it.
  const notes = (grid) => {
    const rows = grid.matches(".grid") ? [...grid.rows] : [grid], found = [];
    let rest = 0;
    rows.forEach((row, number) => {
      const tiles = [...row.querySelectorAll(".tile:not(.ghost), .pause")], last = tiles.findLast((tile) => tile.matches(".tile"));
      for (const tile of tiles.slice(0, tiles.indexOf(last) + 1)) { // no pause is held where nothing is typed yet
        if (tile.matches(".pause, .after-pause")) rest += REST;
        if (!tile.matches(".tile")) continue;
        const long = tile.matches(".guru") || (tile === last && !tile.matches(".laghu")); // what is free, at a pāda's end
        found.push({ tile, rest, matras: long ? 2 : 1, pitch: long ? PITCH.guru : PITCH.laghu });
        rest = 0;
      }
      rest += number === 1 && rows.length === 4 ? HALF : REST;
    });
    return found;
  };

  const stop = () => {
    if (!playing) return;
    const { button, made, loud, frame } = playing;
    playing = null;
    cancelAnimationFrame(frame);
    loud?.disconnect();
    for (const each of made ?? []) each.stop();
    for (const tile of document.querySelectorAll(".tile.sounding")) tile.classList.remove("sounding");
    button.textContent = HEAR_SAYS.rhythm;
    button.setAttribute("aria-pressed", "false");
  };

  const play = (button, from = 0) => {
    const grid = near(button, ".grid, .metre-tiles"), all = grid ? notes(grid) : [];
    stop();
    if (!all.length) return;
    sound ??= new AudioContext();
    sound.resume();
    const matra = 60 / tempo(), loud = new GainNode(sound, { gain: 0.5 }), made = [];
    loud.connect(sound.destination);
    let at = sound.currentTime + SOON;
    all.slice(from).forEach((note, number) => {
      at += number ? note.rest * matra : 0;
      Object.assign(note, { begins: at, ends: at + note.matras * matra });
      const voice = new OscillatorNode(sound, { type: "triangle", frequency: note.pitch }), shape = new GainNode(sound, { gain: 0 });
      shape.gain.setValueAtTime(0, at);
      shape.gain.linearRampToValueAtTime(1, at + 0.015);
      shape.gain.exponentialRampToValueAtTime(0.02, note.ends - 0.02);
      voice.connect(shape).connect(loud);
      voice.start(at);
      voice.stop(note.ends);
      made.push(voice);
      at = note.ends;
    });
    button.textContent = HEAR_SAYS.stop;
    button.setAttribute("aria-pressed", "true");
    playing = { button, made, loud, at: from };
    const look = () => {
      if (!playing) return;
      const now = sound.currentTime, here = all.findIndex((note) => note.begins <= now && now < note.ends);
      if (now > at || !button.isConnected || !grid.isConnected) return stop();
      all.forEach((note, number) => note.tile.classList.toggle("sounding", number === here));
      if (here >= 0) playing.at = here;
      playing.frame = requestAnimationFrame(look);
    };
    look();
  };

  // A consonant's a is not written, another vowel is a sign on it, none is a stroke under it.
  const devanagari = (slp1) => {
    const { vowels, signs, consonants, marks, virama } = HEAR_SAYS.letters;
    let text = "", open = false;
    for (const letter of `${slp1} `) {
      if (open && !(letter in vowels)) text += virama;
      text += letter in vowels ? (open ? signs[letter] : vowels[letter]) : consonants[letter] ?? marks[letter] ?? letter;
      open = letter in consonants;
    }
    return text.trim();
  };

  const voices = () => speechSynthesis.getVoices().filter(({ lang }) => /^(sa|hi)\b/i.test(lang));
  const speak = async (button) => {
    const say = (told) => { button.closest(".hear").querySelector("[role=status]").textContent = told; };
    if (!window.speechSynthesis) return say(HEAR_SAYS.no_voice);
    if (speechSynthesis.speaking) return speechSynthesis.cancel();
    stop();
    if (!speechSynthesis.getVoices().length) { // they come a little after they are first asked for
      await new Promise((done) => { speechSynthesis.addEventListener("voiceschanged", done, { once: true }); setTimeout(done, 800); });
    }
    const found = voices().sort((one, other) => Number(/^sa/i.test(other.lang)) - Number(/^sa/i.test(one.lang)));
    if (!found.length) return say(HEAR_SAYS.no_voice);
    const said = new SpeechSynthesisUtterance(devanagari(button.dataset.speak.replace(/[\s.]+$/, "")));
    Object.assign(said, { voice: found[0], lang: found[0].lang, rate: 0.8 });
    say(HEAR_SAYS.voice.replace("{voice}", found[0].name));
    speechSynthesis.speak(said);
  };

  document.addEventListener("click", (event) => {
    const hear = event.target.closest?.("button[data-hear]"), aloud = event.target.closest?.("button[data-speak]");
    if (aloud) speak(aloud);
    if (!hear) return;
    if (playing?.button === hear) stop(); else play(hear);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches?.(".hear input")) return;
    remember(event.target.value);
    if (playing) play(playing.button, playing.at);
  });
  // A slider that is drawn stands where it was left.
  document.addEventListener("focusin", (event) => { if (event.target.matches?.(".hear input")) event.target.value = tempo(); });
  new MutationObserver(() => {
    for (const slider of document.querySelectorAll(".hear input:not([data-set])")) { slider.dataset.set = ""; slider.value = tempo(); }
  }).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
})();
