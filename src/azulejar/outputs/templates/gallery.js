const selects = [...document.querySelectorAll(".filters select")];
const cards = [...document.querySelectorAll(".card:not(.truth)")];

function show() {
  for (const card of cards) {
    card.hidden = selects.some(({ name, value }) => value && card.dataset[name] !== value);
  }
  for (const part of document.querySelectorAll(".group, section")) {
    part.hidden = !part.querySelector(".card:not(.truth):not([hidden])");
  }
  const shown = cards.filter((card) => !card.hidden).length;
  document.querySelector(".filters output").textContent =
    `${shown} of ${cards.length} reconstructions`;
}

for (const select of selects) select.addEventListener("change", show);
document.querySelector(".filters").hidden = false;
show();
