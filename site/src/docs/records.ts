import { type Page, readPages } from './pages.ts';

const FOLDER = 'adr/';

/** The pages of docs/, and the index of its decision records. */
export function sitePages(): Page[] {
  const pages = readPages();
  return [...pages, recordsPage(pages)];
}

function recordsPage(pages: readonly Page[]): Page {
  const records = pages.filter(({ file }) => file.startsWith(FOLDER));
  const items = records.map(({ file, title }) => `- [${title}](${file.slice(FOLDER.length)})`);
  const about =
    'Large decisions about how Keywright is built, with their reasons and measurements.';
  return {
    file: 'adr/index.md',
    id: 'adr',
    title: 'Architecture decision records',
    description: about,
    // A title starts with a number and a period, which would be another list.
    body: `${about}\n\n${items.join('\n').replaceAll(/\[(\d+)\. /g, '[$1: ')}\n`,
  };
}
