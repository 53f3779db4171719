// Starts the timelines.
const roots = [...document.querySelectorAll(".timeline")];
Promise.all(roots.map(async (root) => new Timeline(root,
  await unpack(root.querySelector("script").textContent))))
  .then(() => { document.documentElement.dataset.ready = "true"; })
  .catch((error) => {
    for (const root of roots) {
      root.querySelector(".spoken").textContent = `The timelines cannot be drawn (${error}): open `
        + "this file in a browser of 2023 or newer.";
    }
    throw error;
  });
