import { EVENT_TYPES, EVENTS } from '@keywright/contract/events';
import { renderToStaticMarkup } from 'react-dom/server';
import { EVENT_TYPES_URL, sections } from './groups.ts';
import type { SearchEntry } from '../browser/match.ts';
import { Page, type PageFiles } from './page.tsx';
import { EventTypesPage, IndexPage, SectionPage } from './pages.tsx';

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

function searchEntries(): readonly SearchEntry[] {
  const operations = sections().flatMap(({ url, groups }) =>
    groups
      .flatMap((group) => group.operations)
      .map(
        ({ route: { id, summary, method, path } }) =>
          [`${url}#${id}`, summary, method, path] as const,
      ),
  );
  const events = EVENT_TYPES.map(
    (type) => [`${EVENT_TYPES_URL}#event-${type}`, type, 'EVENT', EVENTS[type].meaning] as const,
  );
  return [...operations, ...events];
}
