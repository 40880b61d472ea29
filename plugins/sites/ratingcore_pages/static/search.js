(() => {
  const form = document.querySelector("form.search");
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
  form.hidden = false;
})();
