import { Fragment, type ReactNode } from 'react';
import { Mark } from '../../console/src/shell/mark.tsx';
import { EVENT_TYPES_URL, sections } from './groups.ts';

/** The files that every page loads. */
export interface PageFiles {
  readonly style: string;
  readonly script: string;
}

interface PageProps {
  readonly title: string;
  readonly url: string;
  readonly files: PageFiles;
  readonly version: string;
  readonly children: ReactNode;
}

/** A page with the navigation. Everything in it works without scripts, except the search, which is then hidden. */
export function Page({ title, url, files, version, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – Keywright API`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={files.style} />
        <script type="module" src={files.script} />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="rail">
          <a className="brand" href="/reference">
            <Mark />
            <span>
              Keywright API <small>{version}</small>
            </span>
          </a>
          <Find />
          <Navigation url={url} />
        </header>
        <main id="main">{children}</main>
      </body>
    </html>
  );
}

/** The search. A script shows it. */
function Find() {
  return (
    <div className="find" hidden>
      <input
        type="search"
        role="combobox"
        aria-label="Search operations"
        aria-autocomplete="list"
        aria-controls="found"
        aria-expanded="false"
        autoComplete="off"
        placeholder="Search operations…"
      />
      <kbd>⌘K</kbd>
      <div id="found" role="listbox" aria-label="Operations" hidden />
      <p role="status" />
    </div>
  );
}

function Navigation({ url }: { readonly url: string }) {
  return (
    <nav aria-label="API reference">
      <NavLink href="/reference" current={url}>
        All operations
      </NavLink>
      <NavLink href={EVENT_TYPES_URL} current={url}>
        Event types
      </NavLink>
      {sections().map((section) => (
        <Fragment key={section.url}>
          <NavLink href={section.url} current={url}>
            {section.name}
          </NavLink>
          {section.url === url &&
            section.groups.map(({ tag, name }) => (
              <a key={tag} className="in" href={`#${tag}`}>
                {name}
              </a>
            ))}
        </Fragment>
      ))}
    </nav>
  );
}

function NavLink({
  href,
  current,
  children,
}: {
  readonly href: string;
  readonly current: string;
  readonly children: ReactNode;
}) {
  return (
    <a href={href} aria-current={href === current ? 'page' : undefined}>
      {children}
    </a>
  );
}
