// What the framework's parts lack for screen readers (ARIA): a list holds options alone, the loading bar has a name.
new MutationObserver(() => {
  for (const part of document.querySelectorAll(".q-virtual-scroll__content[tabindex]")) part.removeAttribute("tabindex");
  document.querySelector(".q-loading-bar:not([aria-label])")?.setAttribute("aria-label", "Loading");
}).observe(document, { childList: true, subtree: true });

// A file that is dropped beside the button is taken as on it; the browser would leave the page for it.
for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const button = document.querySelector(".drop-area .drop");
  if (kind === "drop" && button?.offsetParent) button.dispatchEvent(
    new DragEvent("drop", { dataTransfer: event.dataTransfer, cancelable: true }));
});
