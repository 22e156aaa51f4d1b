import { renderToStaticMarkup } from 'react-dom/server';
import { EVENT_TYPES_URL, sections } from './groups.ts';
import { Page, type PageFiles } from './page.tsx';
import { EventTypesPage, IndexPage, SectionPage } from './pages.tsx';
import { searchEntries } from './search-entries.ts';

/** Returns the pages of the reference, and the index of their search, by file name. */
export function renderReference(files: PageFiles, version: string): ReadonlyMap<string, string> {
  const common = { files, version };
  const pages = [
    [
      'index.html',
      <Page key="index" title="API reference" url="/reference" {...common}>
        <IndexPage />
      </Page>,
    ],
    [
      'event-types.html',
      <Page key="events" title="Event types" url={EVENT_TYPES_URL} {...common}>
        <EventTypesPage />
      </Page>,
    ],
    ...sections().map(
      (section) =>
        [
          section.file,
          <Page key={section.url} title={section.name} url={section.url} {...common}>
            <SectionPage section={section} />
          </Page>,
        ] as const,
    ),
  ] as const;
  return new Map([
    ...pages.map(([name, page]) => [name, `<!doctype html>${renderToStaticMarkup(page)}`] as const),
    ['search.json', JSON.stringify(searchEntries())],
  ]);
}
