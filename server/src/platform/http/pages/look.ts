import { style } from './html.ts';

/** How every page looks, that of an error too: ink on paper, in both colour schemes. */
export const LOOK = style(`
:root{color-scheme:light dark;--bg:light-dark(#faf9f6,#131518);--surface:light-dark(#fff,#1a1d21);--ink:light-dark(#191c21,#edebe5);
--muted:light-dark(#5a5f69,#a5a9b1);--line:light-dark(#e2dfd6,#30353c);--edge:light-dark(#8a8679,#767c86);--solid:light-dark(#1f242c,#eae6db);
--on-solid:light-dark(#fff,#16181c);--focus:light-dark(#7a5a14,#e2bd63);--bad:light-dark(#a8231c,#ff9b91);--bad-tint:light-dark(#fcebe9,#331a18)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:max(2rem,8vh) 1rem 2rem;background:var(--bg);color:var(--ink);font:16px/24px system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 .25rem;font-size:25px;line-height:31px;font-weight:600;letter-spacing:-.015em}
h2{margin:1.5rem 0 .5rem;font-size:16px;font-weight:600}
p{margin:.5rem 0}.lead,.hint{color:var(--muted)}.hint{font-size:14px;line-height:20px}
form{margin:1.25rem 0 0}form+form{margin-top:.75rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input:not([type=hidden]){width:100%;height:46px;padding:0 .75rem;background:var(--bg);color:inherit;border:1px solid var(--edge);border-radius:6px;font:inherit}
button{width:100%;min-height:46px;margin-top:1.25rem;padding:.5rem 1rem;border:1px solid var(--solid);border-radius:6px;background:var(--solid);color:var(--on-solid);font:inherit;font-weight:600;cursor:pointer}
button.second{margin-top:.75rem;background:transparent;color:var(--ink);border-color:var(--edge)}
button.link{width:auto;min-height:24px;margin-top:.75rem;padding:0;border:0;background:none;color:inherit;text-decoration:underline;font-weight:400}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[role=alert]{margin:1rem 0 0;padding:.75rem;border-radius:6px;background:var(--bad-tint);color:var(--bad)}
ul{margin:.5rem 0;padding-inline-start:1.25rem}code{font:15px/22px ui-monospace,monospace}
.codes{list-style:none;padding:0;columns:1}.who{font-weight:600}
footer{max-width:26rem;margin:1rem auto 0;padding-inline:2rem;color:var(--muted);font-size:14px}
@media(max-width:30rem){body{padding-top:1rem}main{padding:1.25rem}}
@media(forced-colors:active){button{border:1px solid}}
`);
