import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from './compare.ts';
import type { Taken } from './take.ts';

const STYLE = `body{font:14px/20px system-ui,sans-serif;margin:2rem;background:#ddd}
section{margin:0 0 2rem}h2{font-size:14px;margin:0 0 .5rem}
div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
img{max-height:480px;max-width:640px;border:1px solid #999}`;

/** The pictures of each page, side by side. */
export function writeSheet(folder: string, taken: readonly Taken[]): void {
  const sections = taken.map(({ gallery, page, pictures }) =>
    section(`${page}, ${gallery}`, pictures),
  );
  writeFileSync(join(folder, 'index.html'), pageOf('Pages', sections));
}

/** Writes a page with the pictures of each difference: before, after, and the difference. */
export function writeComparison(folder: string, differences: readonly Difference[]): void {
  const sections = differences.map(({ name, what, kind }) => {
    const shown = {
      added: [name],
      removed: [join('against', name)],
      changed: [join('against', name), name, join('differences', name)],
    }[kind];
    return section(`${name}: ${what}`, shown);
  });
  writeFileSync(join(folder, 'differences.html'), pageOf('Differences', sections));
}

function section(title: string, pictures: readonly string[]): string {
  const images = pictures.map((path) => {
    const address = encodeURI(path);
    return `<a href="${address}"><img src="${address}" alt="" loading="lazy"></a>`;
  });
  return `<section><h2>${title}</h2><div>${images.join('')}</div></section>`;
}

function pageOf(title: string, sections: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style>${sections.join('\n')}\n`;
}
