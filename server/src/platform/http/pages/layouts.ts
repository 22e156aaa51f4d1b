/**
 * The layouts of a tenant's pages: a card in the middle, the same without its edges, or, on wide screens, a half next to
 * the background. Phones have one column.
 */
export const LAYOUT_RULES = `
.page{display:grid;grid-template:1fr auto 1fr/minmax(0,1fr);justify-items:center;padding:2rem 1rem 1.5rem}
.page>main{grid-row:2}.page>footer{grid-row:3;align-self:end;margin:1.5rem 0 0}
.page>.brand{grid-row:1;align-self:end}.corner>.brand{align-self:start;justify-self:start;margin:0 .5rem}
.center .brand{justify-content:center}.center h1,.center .lead{text-align:center}
.plain main,.split main{max-width:25rem;padding:0;background:none;border:0;border-radius:0;box-shadow:none}.plain footer,.split footer{max-width:25rem;padding:0}
.field{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:6px 12px;margin-top:14px}.field label{margin:0}form>.field+label{margin-top:14px}.field>.in,.field>.hint{grid-column:1/3;margin:0}.field>.link{grid-area:1/2;align-self:center;min-height:24px;margin:-2px 0;color:var(--muted);font-size:14px;line-height:20px}
.in{position:relative}.in:has(.eye) input{padding-inline-end:48px}.eye{position:absolute;inset:1px 1px 1px auto;inset-inline:auto 1px;width:44px;min-height:44px;margin:0;padding:0;border:0;background:none;color:var(--muted)}
.or{display:flex;align-items:center;gap:12px;margin:20px 0 0;color:var(--muted);font-size:13px;line-height:20px}.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}.or+form{margin-top:8px}
button:has(small){display:grid;grid-template-columns:1fr auto 1fr}button span{grid-column:2}button small{justify-self:end;white-space:nowrap;padding:0 8px;border-radius:99px;background:var(--raised);color:var(--muted);font-size:12px;line-height:22px;font-weight:500}
.more{margin-top:8px}.more form{margin:0}.alt{margin:1rem 0 0;text-align:center;color:var(--muted);font-size:15px}.alt .link{font-weight:550}
@media(forced-colors:active){.eye{border:1px solid}}
@media(max-width:30rem){.plain,.split{padding:2rem 1.5rem 1.25rem}.page.card{grid-template-rows:auto auto 1fr;padding:0;background:var(--surface)}.page.card main{padding:2.5rem 1.5rem 1.5rem;border:0;border-radius:0;box-shadow:none}.page.card>.brand{align-self:start;margin:1.5rem 1.5rem 0}.page.card>footer{padding:0 1.5rem 1.25rem}}
`;

/** The half next to the form, for pages that have one. */
export const SPLIT_RULES = `
.art{display:none}
@media(min-width:60rem){.split{grid-template-columns:minmax(0,1fr) minmax(0,1.1fr);padding:2.5rem 0 1.75rem}.split-end{grid-template-columns:minmax(0,1.1fr) minmax(0,1fr)}.split>main,.split>footer,.split>.brand{grid-column:1}.split.corner>.brand{margin:0 2.5rem}.split-end>main,.split-end>footer,.split-end>.brand{grid-column:2}
.split>.art{position:relative;display:flex;flex-direction:column;justify-content:flex-end;grid-area:1/2/4/3;place-self:stretch;margin:-2.5rem 0 -1.75rem;overflow:hidden;background:var(--art);color:var(--on-art)}.split-end>.art{grid-area:1/1/4/2}
.art div{position:relative;padding:8rem 3.5rem 3.5rem;background:linear-gradient(transparent,var(--scrim,transparent) 6rem)}.art h2{max-width:26em;margin:0;font-size:24px;line-height:34px;font-weight:500;letter-spacing:-.015em}.art p{margin:1rem 0 0;font-size:15px;line-height:22px}
.rings>.art::before{content:"";position:absolute;inset:0;background:repeating-radial-gradient(circle at 72% 26%,transparent 0 45px,currentColor 45px 46px);opacity:.16;mask:linear-gradient(#000 50%,transparent 78%)}}
`;
