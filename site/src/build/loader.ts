import type { Loader } from 'astro/loaders';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rewriteHtml } from '../docs/links.ts';
import { DOCS } from '../docs/pages.ts';
import { withPictures } from '../docs/pictures.ts';
import { sitePages } from '../docs/records.ts';
import { slimContent } from '../docs/slim.ts';

/** Reads the pages of docs/ where they are. */
export const docsLoader: Loader = {
  name: 'docs',
  load: async (context) => {
    context.store.clear();
    for (const { file, id, title, description, body } of sitePages()) {
      const path = join(DOCS, file);
      const rendered = await context.renderMarkdown(body, { fileURL: pathToFileURL(path) });
      const data = await context.parseData({ id, data: { title, description } });
      const html = slimContent(rewriteHtml(withPictures(rendered.html, file), file));
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
