(() => {
  const form = document.querySelector("form.search");
  if (!form) return;
  const input = form.querySelector("input");
  const found = form.querySelector("ul");
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  let players = null;
  const load = async () => {
    players = [];
    const rows = await (await fetch(form.dataset.index)).json();
    players = rows.map(([name, id, rating]) => ({ name, id, rating, key: plain(name) }));
    show();
  };
  const show = () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    const hits = words.length ? players.filter((one) => words.every((word) => one.key.includes(word))).slice(0, 20) : [];
    found.replaceChildren(...hits.map((one) => {
      const link = document.createElement("a");
      link.href = `players/${one.id}.html`;
      link.textContent = one.rating === null ? one.name : `${one.name} ${one.rating}`;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => (players === null ? load() : show()));
})();
(() => {
  const table = document.querySelector("table.list");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, n) => row.cells[n].textContent.trim();
  const value = (row, n) => {
    const cell = text(row, n);
    const day = cell.match(/^(\d+)([./])\s*(\d+)\2\s*(\d{4})$/);
    if (day) return `${day[4]}-${day[3].padStart(2, "0")}-${day[1].padStart(2, "0")}`;
    const number = Number(cell.replace("\u2212", "-").replace("▲ ", "").replace(/^▼ /, "-").split(/[a-zа-я]/i)[0].replace(/^([+-]?\d+),(\d+)$/, "$1.$2") || NaN);
    return Number.isNaN(number) ? cell : number;
  };
  heads.forEach((head, n) => {
    if (!rows.some((row) => text(row, n))) return;
    const button = document.createElement("button");
    button.className = "sort";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && (head.classList.contains("n") && n > 0);
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keys = new Map(rows.map((row) => [row, value(row, n)]));
      const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), document.documentElement.lang));
      const empty = (row) => keys.get(row) === "" || keys.get(row) === "–";
      const order = [...rows].sort((a, b) => empty(a) - empty(b) || (down ? -1 : 1) * compare(keys.get(a), keys.get(b)));
      body.append(...order);
    });
    head.replaceChildren(button);
  });
  const form = document.querySelector("form.choose");
  if (!form) return;
  const column = (name) => heads.findIndex((head) => head.textContent === name);
  form.addEventListener("change", () => rows.forEach((row) => {
    row.hidden = [...form.elements].some((one) => one.value && text(row, column(one.name)) !== one.value);
  }));
})();
(() => {
  const button = document.querySelector(".print");
  if (!button) return;
  button.addEventListener("click", () => print());
})();
