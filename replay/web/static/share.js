// A button that copies what a field holds; without this the field itself can be copied from.
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const told = document.querySelector("[data-told]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      told.textContent = button.dataset.copied;
    } catch {
      told.textContent = button.dataset.uncopied;
    }
  });
}
