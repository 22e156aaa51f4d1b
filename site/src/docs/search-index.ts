// Prepares a page for the search index.

import { KEYWORDS } from '../../keywords.mjs';

/** How much the words of a page count. Readers look for guides before generated lists and records. */
const WEIGHTS: readonly (readonly [prefix: string, weight: number])[] = [
  ['adr', 0.2],
  ['contributing/', 0.2],
  ['decisions', 0.2],
  ['errors/', 0.4],
  ['performance', 0.2],
  ['reference/', 0.4],
  ['rules', 0.2],
  ['standards', 0.2],
  ['conformance', 0.4],
  ['threat-model', 0.4],
];
const TITLE = /<h1 id="_top"[^>]*>([^<]*)<\/h1>/;
/** Records, whose titles do not count as those of guides do. */
const RECORDS = /^(?:adr|contributing|decisions|performance|rules|standards)(?:\/|$)/;

/** Returns the HTML of a page with its weight, and with its topics: the words of its title, and its keywords. */
export function indexedPage(id: string, html: string): string {
  const weight = WEIGHTS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 1;
  const weighted = html.replace(
    /(?<=<div class="[^"]*sl-markdown-content[^"]*")/,
    ` data-pagefind-weight="${weight}"`,
  );
  if (RECORDS.test(id)) return weighted;
  return weighted.replace(TITLE, (heading, title: string) => {
    // The code of an error is one word, and its parts are what readers type.
    const words = title.includes(' ') ? title : title.replaceAll('_', ' ').toLowerCase();
    const topics = [words, KEYWORDS[id]].filter((text) => text !== undefined).join(', ');
    return `${heading}<meta data-pagefind-meta="topics[content]" content="${topics}">`;
  });
}
