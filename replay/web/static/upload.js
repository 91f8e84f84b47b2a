"use strict";

const form = document.querySelector("form[data-drop]");
if (form) {
  const input = form.querySelector("input[type=file]");
  const said = form.querySelector("[data-files]");
  let depth = 0;

  const show = () => {
    const files = [...input.files];
    const names = files.map((file) => file.name).join(", ");
    const large = files.reduce((sum, file) => sum + file.size, 0) > Number(form.dataset.most);
    said.hidden = files.length === 0;
    said.textContent = large ? form.dataset.large : form.dataset.chosen.replace("{files}", names);
    input.setCustomValidity(large ? form.dataset.large : "");
  };

  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

  document.addEventListener("dragenter", (event) => {
    if (!carriesFiles(event)) return;
    depth += 1;
    form.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!carriesFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) form.classList.remove("over");
  });
  document.addEventListener("dragover", (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    form.classList.remove("over");
    input.files = event.dataTransfer.files;
    show();
    form.querySelector("button.main").focus();
  });
  input.addEventListener("change", show);
  show();
}
