import { type Html, html } from '../../../platform/http/pages/html.ts';

/** Icons of Lucide (ISC license), without their frame. */
const PATHS = {
  user: html`<path d="M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2" /><circle cx="12" cy="7" r="4" />`,
  shield: html`<path
    d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"
  />`,
  desktop: html`<rect width="20" height="14" x="2" y="3" rx="2" /><path d="M8 21h8m-4-4v4" />`,
  phone: html`<rect width="14" height="20" x="5" y="2" rx="2" /><path d="M12 18h.01" />`,
  apps: html`<path d="M3 3h7v7H3zm11 0h7v7h-7zm0 11h7v7h-7zM3 14h7v7H3z" />`,
  lock: html`<rect width="18" height="11" x="3" y="11" rx="2" /><path
      d="M7 11V7a5 5 0 0 1 10 0v4"
    />`,
  key: html`<circle cx="7.5" cy="15.5" r="5.5" /><path d="m21 2-9.6 9.6m4.1-4.1 3 3L22 7l-3-3" />`,
  mail: html`<rect width="20" height="16" x="2" y="4" rx="2" /><path
      d="m22 7-9 5.7a2 2 0 0 1-2 0L2 7"
    />`,
  agent: html`<path d="M12 8V4H8M2 14h2m16 0h2m-7-1v2m-6-2v2" /><rect
      width="16"
      height="12"
      x="4"
      y="8"
      rx="2"
    />`,
  link: html`<path d="M9 17H7A5 5 0 0 1 7 7h2m6 0h2a5 5 0 1 1 0 10h-2m-7-5h8" />`,
  history: html`<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8m0-5v5h5m4-1v5l4 2" />`,
  download: html`<path d="M12 15V3m9 12v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5" />`,
  bin: html`<path
    d="M3 6h18m-2 0v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6m3 0V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2"
  />`,
  plus: html`<path d="M5 12h14m-7-7v14" />`,
} as const;

export type AccountIcon = keyof typeof PATHS;

/** A decorative icon, next to a text with its meaning. */
export function icon(name: AccountIcon): Html {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}
