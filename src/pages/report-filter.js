// Shows only those samples of a list that fit the form above it.
for (const form of document.querySelectorAll("form.filter")) {
  const items = [...document.getElementById(form.dataset.list).children].map((item) => ({
    item,
    outcomes: JSON.parse(item.dataset.outcomes),
    groups: JSON.parse(item.dataset.groups),
  }));
  const fits = ({ item, outcomes, groups }) => {
    const { outcome, run, group, words } = form.elements;
    const named = outcomes.filter(([place]) => run.value === "" || String(place) === run.value);
    const asWanted =
      outcome.value === "" ||
      (outcome.value === "differs"
        ? new Set(outcomes.map(([, name]) => name)).size > 1
        : named.some(([, name]) => name === outcome.value));
    const wanted = words.value.trim().toLowerCase();
    return (
      asWanted &&
      named.length > 0 &&
      (group.value === "" || groups.includes(group.value)) &&
      (wanted === "" || item.textContent.toLowerCase().includes(wanted))
    );
  };
  const apply = () => {
    let shown = 0;
    for (const one of items) {
      one.item.hidden = !fits(one);
      if (!one.item.hidden) shown++;
    }
    form.querySelector("output").textContent = `${shown} of ${items.length}`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}
