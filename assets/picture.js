// "PNG" and "SVG" under a verse: the server draws it (workbench/ui/picture.py), and this browser makes dots of the drawing,
// at twice its size, so that it is sharp where it is printed. Nothing is fetched but the drawing. PICTURE_SAYS has the words.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-picture]"), DENSE = 2, PATIENCE = 30000;
  if (!button || button.getAttribute("aria-busy") === "true") return;
  const place = button.closest("[data-verse]"), { verse, metre, to } = place.dataset, kind = button.dataset.picture;
  const say = (told) => { place.querySelector("[role=status]").textContent = told; };
  const save = (blob, name) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const dots = async (blob) => {
    const address = URL.createObjectURL(blob);
    try {
      const image = Object.assign(new Image(), { src: address });
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: DENSE * image.width, height: DENSE * image.height });
      const pen = canvas.getContext("2d");
      pen.scale(DENSE, DENSE);
      pen.drawImage(image, 0, 0);
      return await new Promise((done, failed) => {
        canvas.toBlob((made) => (made ? done(made) : failed(new Error("no room for the picture"))), "image/png");
      });
    } finally { URL.revokeObjectURL(address); }
  };
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch("gradio_api/run/picture", {
      method: "POST", headers: { "Content-Type": "application/json" }, signal: AbortSignal.timeout(PATIENCE),
      body: JSON.stringify({ data: [verse, metre, to], session_hash: "picture" }),
    });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const [made] = (await answer.json()).data;
    if (made.error) return say(made.error);
    const drawing = new Blob([made.svg], { type: "image/svg+xml" });
    save(kind === "png" ? await dots(drawing) : drawing, `${made.name}.${kind}`);
    say(PICTURE_SAYS.saved.replace("{name}", `${made.name}.${kind}`));
  } catch { say(PICTURE_SAYS.failed); } finally { button.removeAttribute("aria-busy"); }
});
