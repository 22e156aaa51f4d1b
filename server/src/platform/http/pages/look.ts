import { Asset } from './asset.ts';
import { style } from './html.ts';
import { ROOT } from './tokens.ts';

/**
 * The style of every page, including error pages: ink on paper, in both color schemes. It uses only logical
 * properties, because pages can also be read from right to left.
 */
const RULES = `
${ROOT}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:max(2rem,8vh) 1rem 2rem;background:var(--bg);color:var(--ink);font:16px/24px system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:calc(2*var(--corner))}
h1{margin:0 0 .25rem;font-size:25px;line-height:31px;font-weight:600;letter-spacing:-.015em}
h2{margin:1.5rem 0 .5rem;font-size:16px;font-weight:600}
h1,h2{text-wrap:balance;word-break:auto-phrase}
p{margin:.5rem 0}a{padding-block:5px;color:var(--link)}.lead,.hint{color:var(--muted)}.hint{font-size:14px;line-height:20px}
form{margin:1.25rem 0 0}form+form,.second+form{margin-top:.75rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input:not([type=hidden]){width:100%;height:46px;padding:0 .75rem;background:var(--bg);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
button{width:100%;min-height:46px;margin-top:1.25rem;padding:.5rem 1rem;border:1px solid var(--solid-edge);border-radius:var(--corner);background:var(--solid);color:var(--on-solid);font:inherit;font-weight:600;cursor:pointer}
button small{display:block;font-weight:400}
button.second{margin-top:.75rem;background:transparent;color:var(--ink);border-color:var(--edge)}
button.link{display:block;width:auto;min-height:24px;margin-top:0;padding:0;border:0;background:none;color:var(--link);text-align:start;text-decoration:underline;font-weight:400}.link+.link{margin-top:.75rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[role=alert],.warn{margin:1rem 0 0;padding:.75rem;border-radius:var(--corner);background:var(--bad-tint);color:var(--bad)}
details{margin-top:1.25rem}summary{min-height:24px;cursor:pointer}
ul{margin:.5rem 0;padding-inline-start:1.25rem}dl{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid var(--edge)}dt{color:var(--muted);font-size:14px}dd{margin:0;font-weight:600}dd bdi{white-space:pre-wrap}dd+dt{margin-top:.5rem}code{font:15px/22px ui-monospace,monospace}
.codes{list-style:none;padding:0}.qr{display:block;width:min(100%,14rem)}.who{font-weight:600}.host{margin:0;font-size:20px;line-height:28px;font-weight:600}
footer a{display:inline-block;color:inherit;margin-inline-end:1rem}footer form{margin:0}footer button.link{margin:.25rem 0;margin-inline-end:1rem;color:inherit}
.brand{margin:0 0 1rem;font-weight:600}.brand img{height:40px;max-width:100%;object-fit:contain;object-position:0}[dir=rtl] .brand img{object-position:100%}
footer{max-width:26rem;margin:1rem auto 0;padding-inline:2rem;color:var(--muted);font-size:14px}
@media(max-width:30rem){body{padding-top:1rem}main{padding:1.25rem}footer{padding-inline:1.25rem}}
@media(forced-colors:active){button{border:1px solid}}
`;

/** Within a page. */
export const LOOK = style(RULES);

/** The style as a file, which a browser loads once for all pages. */
export const LOOK_FILE = new Asset(RULES);

/** The style of pages whose form is at one side of a wide screen. */
export const SIDE_RULES = `@media(min-width:60rem){.side{padding:0 0 2rem;background:var(--raised)}.side main,.side footer{margin-inline:0;width:32rem;max-width:none}
.side main{min-height:calc(100vh - 5rem);padding:max(2rem,12vh) 4rem 2rem;border-width:0 0 1px;border-inline-end-width:1px;border-radius:0}}`;
