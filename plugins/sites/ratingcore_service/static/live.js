(() => {
  const status = document.querySelector("[data-news]");
  if (!status || !status.dataset.news || !window.EventSource) return;
  const news = new EventSource(`${status.dataset.news}?after=${status.dataset.head}`);
  news.addEventListener("head", (event) => {
    if (Number(event.lastEventId) <= Number(status.dataset.head)) return;
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = status.dataset.words;
    status.replaceChildren(link);
    news.close();
  });
  addEventListener("pagehide", () => news.close());
})();
