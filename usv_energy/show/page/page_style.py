"""The look of a report's page: light and dark, on paper and on a phone."""

CSS = """
:root { color-scheme: light dark;
  --paper: #f4f6f7; --card: #ffffff; --ink: #16242c; --muted: #5a6670; --grid: #e3e6e8; --line: #d7dcdf;
  --accent: #0b5fa5; --warn: #8a5a00; --warn-paper: #fff6e0; --warn-line: #e8b84a;
  --c-damping: #0072b2; --c-inertia: #d55e00; --c-wind: #009e73; --c-losses: #e69f00; --c-static_load: #56b4e9;
  --c-unrecovered: #cc79a7;
  --r0: #2c1160; --r1: #41106b; --r2: #57106e; --r3: #6d176e; --r4: #84206b; --r5: #9b2964; --r6: #b1325a;
  --r7: #c63d4d; --r8: #d84c3e; --r9: #e8602d; --r10: #f2771a; --r11: #f6920c; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #10161a; --card: #182026; --ink: #e8edf0; --muted: #a3afb7; --grid: #2a343b; --line: #313c44;
  --accent: #6db7f2; --warn: #ffd27a; --warn-paper: #2b2413; --warn-line: #8a6a1c;
  --c-damping: #4aa8e0; --c-inertia: #f08246; --c-wind: #2cc399; --c-losses: #f0b429; --c-static_load: #8fd0f5;
  --c-unrecovered: #e39cc3;
  --r0: #7b4fc9; --r1: #8f4fc4; --r2: #a24fbb; --r3: #b551b0; --r4: #c654a3; --r5: #d55a94; --r6: #e26384;
  --r7: #ec6f73; --r8: #f37e63; --r9: #f89053; --r10: #fba645; --r11: #fcc03f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 28px 20px 48px; }
header { margin-bottom: 20px; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0 0 8px; }
p { margin: 0 0 8px; }
.sub, .foot, figcaption { color: var(--muted); font-size: .88rem; overflow-wrap: anywhere; }
figure { margin: 0; }
figcaption { margin-top: 6px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px; margin-bottom: 16px; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: 12px 14px; min-width: 0; }
.tile b { display: block; font-size: 1.4rem; line-height: 1.25; font-weight: 650; white-space: nowrap; }
.tile span { color: var(--muted); font-size: .82rem; }
.card { padding: 16px 18px; margin-bottom: 16px; min-width: 0; }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 16px; }
.warn { background: var(--warn-paper); border-color: var(--warn-line); }
.warn h2 { color: var(--warn); }
ul { margin: 0; padding-left: 20px; }
li { margin-bottom: 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .93rem; }
th, td { padding: 6px 8px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
td + td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.text, th.text { text-align: left; white-space: normal; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
th { color: var(--muted); font-weight: 500; font-size: .82rem; }
.bar { display: flex; height: 26px; border-radius: 6px; overflow: hidden; margin: 4px 0 12px; }
.bar i { display: block; height: 100%; }
.key { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 8px; }
.arrow { display: inline-block; width: 1.1em; height: 1.1em; vertical-align: -.15em; }
.arrow path { stroke: currentColor; stroke-width: 2.4; fill: none; stroke-linecap: round; stroke-linejoin: round; }
svg { display: block; width: 100%; height: auto; color: var(--ink); font-family: inherit; }
.narrow { display: none; }
details summary { cursor: pointer; color: var(--muted); }
details[open] summary { margin-bottom: 8px; }
@media (max-width: 680px) {
  main { padding: 18px 12px 32px; } h1 { font-size: 1.4rem; } .two { grid-template-columns: minmax(0, 1fr); }
  .wide { display: none; } .narrow { display: block; } .card { padding: 13px 12px; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; } .tile b { font-size: 1.2rem; }
  th, td { padding: 6px 5px; font-size: .86rem; } }
@media (max-width: 360px) { th, td { padding: 5px 3px; font-size: .78rem; } main { padding: 14px 8px 24px; } }
@media print { @page { size: A4; margin: 12mm; }
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #16242c; --muted: #5a6670; --grid: #e3e6e8;
    --line: #d7dcdf; --accent: #0b5fa5; --warn: #8a5a00; --warn-paper: #fff6e0; --warn-line: #e8b84a;
    --c-damping: #0072b2; --c-inertia: #d55e00; --c-wind: #009e73; --c-losses: #e69f00; --c-static_load: #56b4e9;
    --c-unrecovered: #cc79a7;
    --r0: #2c1160; --r1: #41106b; --r2: #57106e; --r3: #6d176e; --r4: #84206b; --r5: #9b2964; --r6: #b1325a;
    --r7: #c63d4d; --r8: #d84c3e; --r9: #e8602d; --r10: #f2771a; --r11: #f6920c; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 11pt; } main { max-width: none; padding: 0; } .card, .tile { break-inside: avoid; }
  .wide { display: block; } .narrow { display: none; } .two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)); } .screen { display: none; }
  table { font-size: .85rem; } }
"""
