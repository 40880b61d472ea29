"use strict";
(() => {
  const { config, specs } = JSON.parse(document.getElementById("pictures").textContent);
  const options = { config, mode: "vega-lite", renderer: "svg", actions: false, ast: true, tooltip: { theme: "custom" } };
  const drawn = [...document.querySelectorAll("[data-picture]")].map((place) =>
    vegaEmbed(place, specs[Number(place.dataset.picture)], options).then(
      () => {
        place.querySelector("svg").setAttribute("aria-hidden", "true"); // the text around it describes the whole picture
        place.classList.add("drawn");
      },
      (problem) => {
        place.textContent = "This picture could not be drawn; its numbers stand in the table below.";
        throw problem;
      },
    ),
  );
  Promise.allSettled(drawn).then(() => document.documentElement.classList.add("drawn"));

  // Short tables are printed with their pictures; long ones if the reader has opened them.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])[data-short]")];
    for (const table of opened) table.open = true;
  });
  addEventListener("afterprint", () => {
    for (const table of opened) table.open = false;
  });
})();
