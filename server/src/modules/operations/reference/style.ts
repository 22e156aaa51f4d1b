/** The style sheet of the reference page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: light-dark(#1a4fa3, #8ab4f8); }
* { box-sizing: border-box; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav h1 { font-size: 1.1rem; margin: 0 0 1rem; }
nav h1 small { font-weight: 400; opacity: .7; }
nav h2 { font-size: .8rem; margin: 1.2rem 0 .3rem; text-transform: capitalize; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .12rem 0; }
main { padding: 1.5rem 2.5rem 6rem; max-width: 62rem; }
details { margin: .8rem 0; }
summary { cursor: pointer; font-size: .9rem; }
pre { background: var(--soft); border-radius: .4rem; padding: .6rem .8rem; white-space: pre-wrap; }
section { border-top: 1px solid var(--line); padding: 1.2rem 0 1.6rem; scroll-margin-top: 1rem; }
h2 { font-size: 1.25rem; margin: 0 0 .4rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .4rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.call { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .45rem .7rem; }
.call b { color: var(--accent); margin-right: .4rem; }
.access { opacity: .8; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
table code { overflow-wrap: normal; white-space: nowrap; }
th:nth-child(1) { width: 17rem; }
th:nth-child(2) { width: 15rem; }
th:nth-child(3) { width: 5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
.errors { list-style: none; padding: 0; margin: 0; font-size: .9rem; }
.errors b { font-weight: 600; margin-right: .4rem; }
.errors code { margin-right: .4rem; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
@media (max-width: 40rem) {
  table, tbody, tr { display: block; }
  thead { display: none; }
  tr { padding: .45rem 0; border-bottom: 1px solid var(--line); }
  td { display: inline; padding: 0 .6rem 0 0; border: 0; opacity: .85; }
  td:first-child, td:last-child { opacity: 1; }
  td:first-child, td:last-child:not(:empty) { display: block; }
  table code { white-space: normal; overflow-wrap: anywhere; }
}
`;
