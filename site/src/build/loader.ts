import type { Loader } from 'astro/loaders';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rewriteHtml } from '../docs/links.ts';
import { DOCS } from '../docs/pages.ts';
import { withPictures } from '../docs/pictures.ts';
import { sitePages } from '../docs/records.ts';

/** Reads the pages of docs/ where they are. */
export const docsLoader: Loader = {
  name: 'docs',
  load: async (context) => {
    context.store.clear();
    for (const { file, id, title, description, body } of sitePages()) {
      const path = join(DOCS, file);
      const rendered = await context.renderMarkdown(body, { fileURL: pathToFileURL(path) });
      const data = await context.parseData({ id, data: { title, description } });
      const pictured = rewriteHtml(withPictures(rendered.html, file), file);
      const html = withFrames(withAnchors(withoutDirections(pictured)));
      context.store.set({
        id: id === '' ? 'index' : id,
        data,
        body,
        rendered: { ...rendered, html },
        filePath: `../docs/${file}`,
      });
    }
  },
};

const HEADING = /<h([2-6]) id="([^"]+)">([^]*?)<\/h\1>/g;

/** Adds a link to each heading. Starlight's own has an icon of 500 bytes each time. */
function withAnchors(html: string): string {
  return html.replaceAll(HEADING, (heading, level: string, id: string, content: string) => {
    const label = content.replaceAll(/<[^>]+>/g, '').replaceAll('"', '&quot;');
    return `<div class="heading h${level}">${heading}<a href="#${id}" aria-label="Link to ${label}"></a></div>`;
  });
}

/** Code has one direction in these pages, which are all in English. */
function withoutDirections(html: string): string {
  return html.replaceAll('<code dir="auto">', '<code>');
}

/** Adds frames in which wide tables scroll, also by keyboard. */
function withFrames(html: string): string {
  return html
    .replaceAll('<table>', '<div class="table-frame" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}
