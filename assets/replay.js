// Replay moves the Beams tab's slider a step at a time, as a person would, and goes on when the step is drawn: so slider and
// cards never show two steps for longer than a drawing takes. Pressed again it pauses, and goes on from there; whoever
// takes the slider pauses it too. REPLAY_SAYS has the words of its button.
(() => {
  const STAYS = 350, PATIENCE = 10000; // milliseconds that a step stays, and that one may take to be drawn
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const button = () => document.getElementById("replay"), slider = () => document.querySelector("#step input[type=range]");
  const drawn = () => Number(document.querySelector("#beams-view .step-title")?.dataset.step ?? 0);
  const rest = (time) => new Promise((done) => setTimeout(done, time));
  let turn = 0, playing = false;
  const say = () => { const place = button(); if (place) place.textContent = playing ? REPLAY_SAYS.pause : REPLAY_SAYS.replay; };
  const pause = () => { turn += 1; playing = false; say(); };
  async function play(mine) {
    const moves = (to) => { const box = slider(); set.call(box, String(to)); box.dispatchEvent(new Event("input", { bubbles: true })); };
    const here = () => mine === turn && slider()?.offsetParent;
    for (let at = drawn() >= Number(slider().max) ? 1 : drawn() + 1; here() && at <= Number(slider().max); at += 1) {
      moves(at);
      for (const until = Date.now() + PATIENCE; here() && drawn() !== at && Date.now() < until;) await rest(30);
      await rest(STAYS);
    }
    if (mine === turn) pause();
  }
  window.pingalaReplay = () => {
    if (playing) return pause();
    if (!slider() || !drawn()) return;
    playing = true;
    say();
    play(turn += 1);
  };
  const taken = (event) => { if (playing && event.isTrusted && event.target.closest?.("#step")) pause(); };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, taken, true);
})();
