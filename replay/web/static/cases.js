"use strict";

// Of the common wordings those are offered that go with the ruling that is chosen. One that was sent stays until then.
const ruling = document.getElementById("decide-ruling");
const canned = document.getElementById("decide-canned");
ruling.addEventListener("change", () => {
  for (const group of canned.querySelectorAll("optgroup")) {
    const fits = !ruling.value || group.dataset.rulings.split(" ").includes(ruling.value);
    group.disabled = group.hidden = !fits;
  }
  if (canned.selectedOptions[0].parentElement.disabled) canned.value = "";
});
