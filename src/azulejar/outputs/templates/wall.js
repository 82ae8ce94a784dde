const wall = document.querySelector(".wall");
const tools = document.querySelector(".tools");
const search = tools.querySelector("input");
const order = tools.querySelector("select");
const choices = [...tools.querySelectorAll(".choices button")];
const cards = [...wall.children];
const words = new Map(cards.map((card) => [card, card.dataset.words.toLowerCase()]));
const names = new Intl.Collator(undefined, { numeric: true });
let trust = "";

function answers(card, wanted) {
  const own = words.get(card);
  return (!trust || card.dataset.trust === trust) && wanted.every((word) => own.includes(word));
}

function show() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    card.hidden = !answers(card, wanted);
    shown += !card.hidden;
  }
  tools.querySelector("output").textContent = `${shown} of ${cards.length}`;
  document.querySelector(".nothing").hidden = shown > 0;
}

function arrange() {
  const key = order.value;
  const compare =
    key === "name"
      ? (a, b) => names.compare(a.dataset.name, b.dataset.name)
      : (a, b) => b.dataset[key] - a.dataset[key];
  wall.append(...cards.sort(compare));
}

// Which way up each picture was turned is kept by this browser alone, where it allows that.
function remembered(name) {
  try {
    return Number(localStorage.getItem(`turn ${location.pathname} ${name}`)) || 0;
  } catch {
    return 0;
  }
}

function remember(name, quarters) {
  try {
    localStorage.setItem(`turn ${location.pathname} ${name}`, quarters % 4);
  } catch {
    // The picture is turned all the same.
  }
}

for (const button of wall.querySelectorAll(".turn")) {
  const card = button.closest(".card");
  const picture = card.querySelector("img");
  let quarters = remembered(card.dataset.name);
  const turn = () => picture.style.setProperty("rotate", `${90 * quarters}deg`);
  turn();
  button.hidden = false;
  button.addEventListener("click", () => {
    quarters += 1;
    remember(card.dataset.name, quarters);
    turn();
  });
}

for (const button of choices) {
  button.addEventListener("click", () => {
    trust = button.value;
    for (const each of choices) each.setAttribute("aria-pressed", each === button);
    show();
  });
}
search.addEventListener("input", show);
order.addEventListener("change", arrange);
tools.addEventListener("submit", (event) => event.preventDefault());
tools.hidden = false;
show();
