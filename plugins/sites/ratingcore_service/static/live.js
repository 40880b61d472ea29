(() => {
  const status = document.querySelector("[data-news]");
  if (!status || !status.dataset.news || !window.EventSource) return;
  const news = new EventSource(`${status.dataset.news}?after=${status.dataset.head}`);
  const tell = () => {
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = status.dataset.words;
    status.replaceChildren(link);
    news.close();
  };
  for (const kind of ["head", "restored", "erased"]) news.addEventListener(kind, tell);
  addEventListener("pagehide", () => news.close());
})();
(() => {
  const again = async () => {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (!answer.ok || !fresh) return;
    const shown = document.querySelector("main");
    if (fresh.innerHTML !== shown.innerHTML) shown.replaceWith(fresh);
    later();
  };
  const later = () => document.querySelector("[data-again]") && setTimeout(again, 2000);
  later();
})();
(() => {
  const button = document.querySelector(".print");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => print());
})();
