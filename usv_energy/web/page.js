// What the framework's parts lack for screen readers (ARIA): a list holds options alone, the loading bar has a name.
new MutationObserver(() => {
  for (const part of document.querySelectorAll(".q-virtual-scroll__content[tabindex]")) part.removeAttribute("tabindex");
  document.querySelector(".q-loading-bar:not([aria-label])")?.setAttribute("aria-label", "Loading");
}).observe(document, { childList: true, subtree: true });
