import { Asset } from './asset.ts';
import { style } from './html.ts';
import { LIST_FILE, LIST_RULES, LOOK_FILE, MARKS_FILE, SPLIT_FILE } from './look.ts';

/** Style rules of the account in addition to those of every page. */
const RULES = `${LIST_RULES}
time{unicode-bidi:plaintext}body{padding-top:1.5rem}
main,footer{max-width:60rem}
main{display:grid;grid-template:"brand" auto "me" auto "nav" auto "title" auto "note" auto "body" 1fr/minmax(0,1fr)}h1{grid-area:title;margin-block-end:1rem}h2{margin:0 0 .5rem}h2:has(svg){display:flex;align-items:center;gap:.5rem}h2 svg{color:var(--muted)}
svg:where(:not(.qr)){flex:none;width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
main>.brand{grid-area:brand}main>.lead{grid-area:me;display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem}.lead b{color:var(--ink)}b+br+.who{font-weight:400;font-size:14px}
.face{display:grid;place-items:center;flex:none;width:48px;height:48px;overflow:hidden;border-radius:50%;font-weight:600;background:light-dark(var(--f),var(--d));color:light-dark(var(--d),var(--f))}
.face img{width:100%;height:100%;object-fit:cover}.pick{position:relative;display:inline-block;padding:8px 1rem;border:1px solid var(--edge);border-radius:var(--corner);cursor:pointer}.pick:focus-within{outline:3px solid var(--focus);outline-offset:2px}.pick input{position:absolute;width:1px!important;height:1px!important;padding:0!important;opacity:0}.tint-0{--f:#fbe9e4;--d:#8f3b22}.tint-1{--f:#e6eefb;--d:#274c8f}.tint-2{--f:#e1f1f3;--d:#1b5f6b}.tint-3{--f:#e5f3ea;--d:#1f6640}.tint-4{--f:#fae6ef;--d:#8c2f5c}.tint-5{--f:#f6ecd6;--d:#7a5614}.tint-6{--f:#efe8fa;--d:#5a3d96}.tint-7{--f:#eceff2;--d:#43505c}
.groups{grid-area:nav}.groups ul{display:flex;flex-wrap:wrap;gap:2px;margin:0;padding:3px;list-style:none;background:var(--raised);border-radius:calc(var(--corner) + 3px)}
.groups li{flex:auto}.groups a{display:flex;flex-direction:column;align-items:center;gap:2px;padding:6px 2px;border-radius:var(--corner);color:var(--muted);font-size:12px;line-height:18px;overflow-wrap:normal;text-align:center;text-decoration:none}
.groups a[aria-current]{background:var(--surface);color:var(--ink);font-weight:600}.groups a:hover{color:var(--ink)}.groups form{margin:.5rem 0 1rem}.groups form button{color:var(--muted);font-size:14px}
.pages{margin-block-end:1.25rem;overflow-x:auto;scrollbar-width:none}.pages ul{display:flex;gap:0 1.25rem;min-width:max-content;margin:0;padding:0;list-style:none;box-shadow:inset 0 -1px var(--line)}.pages a{display:block;min-width:24px;padding:6px 0;outline-offset:-3px;text-align:center;color:var(--muted);text-decoration:none;border-block-end:2px solid transparent}.pages a[aria-current]{color:var(--ink);font-weight:600;border-color:var(--ink)}
#problem,.done{grid-area:note;margin:0 0 1rem}.body{grid-area:body;min-width:0}
@media(min-width:48rem){main{grid-template:"brand brand" auto "me me" auto "nav title" auto "nav note" auto "nav body" 1fr/11rem minmax(0,1fr);column-gap:2.5rem}
.groups ul{flex-direction:column;padding:0;background:none}.groups a{flex-direction:row;gap:.75rem;padding:8px 10px;font-size:15px}.groups a[aria-current]{background:var(--raised)}.groups form{margin:1rem 10px}}
p>a:only-child{display:inline-block;min-width:24px}
.card{margin:0 0 1rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:calc(2*var(--corner))}.card>:last-child{margin-block-end:0}.card .card{border:0;padding:0}
.mark{display:inline-block;margin-inline-start:.25rem;padding:0 8px;border-radius:99px;background:var(--raised);color:var(--muted);font-size:13px;line-height:22px;font-weight:400}.ok{background:var(--ok-tint);color:var(--ok)}.bad{background:var(--bad-tint);color:var(--bad)}
.items{margin:0;padding:0;list-style:none}.items li{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.25rem .75rem;padding:.75rem 0;border-block-end:1px solid var(--line)}.items li:last-child{border:0}.items svg{margin-block-start:2px;color:var(--muted)}.items li>div:not(.do){flex:1 1 12rem;min-width:0}.items p{margin:.125rem 0}
.items svg~.do{margin-inline-start:2rem}.do{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}.do form,.do details{margin:0}.card summary{text-align:start}
@media(max-width:30rem){main{position:relative}main>.brand{padding-inline-end:7rem}.groups{margin-block-end:1.25rem}.groups form{position:absolute;inset-block-start:1.375rem;inset-inline-end:1.5rem;margin:0}.pages{margin-inline:-1.5rem}.pages ul{padding-inline:1.5rem}}.empty{color:var(--muted)}
form,form+form{margin:1rem 0 0}button,.button{width:auto;min-height:40px;margin-top:0}input:not([type=hidden])+button,select+button,label+button{margin-top:1.25rem}input[type=hidden]+button{margin-top:0}
.done{padding:.75rem;border-radius:var(--corner);background:var(--ok-tint);color:var(--ok)}
select{width:100%;height:46px;padding:0 .75rem;background:var(--surface);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
.final{background:var(--bad);border-color:var(--bad);color:var(--surface)}
.danger,.do .link,.do summary{min-width:32px;min-height:32px;padding:5px 10px;border:1px solid var(--line-2);border-radius:var(--corner);background:none;color:var(--ink);font-size:14px;line-height:20px;font-weight:500;text-align:center;text-decoration:none}.danger:hover{color:var(--bad);border-color:currentColor}
`;

/** Within a page, for previews. */
export const ACCOUNT_LOOK = style(RULES);

/** The rules as a file, which a browser loads once for all sections. */
export const ACCOUNT_LOOK_FILE = new Asset(RULES);

/** The style sheets that pages load. */
export const STYLESHEETS = [LOOK_FILE, LIST_FILE, MARKS_FILE, SPLIT_FILE, ACCOUNT_LOOK_FILE];
