import { ERRORS } from '@keywright/contract/errors';
import { exampleOf } from '@keywright/contract/example';
import { impliedErrors, loginsText, type Route, scopeOf } from '@keywright/contract/route';
import type { TSchema } from 'typebox';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import { eventContents, eventSections } from './events.ts';
import { fields, prose } from './fields.ts';
import { STYLE } from './style.ts';

/** The reference of all routes and events as one page: no script, nothing loaded from anywhere. */
export function referencePage(routes: readonly Route[], version: string): Html {
  const groups = Map.groupBy(routes, (route) => route.id.split('.')[0] as string);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Keywright API ${version}</title>
        <link rel="icon" href="data:," />
        ${style(STYLE)}
      </head>
      <body>
        <nav aria-label="Routes">
          <h1>Keywright API <small>${version}</small></h1>
          ${[...groups].map(([name, members]) => contents(name, members))} ${eventContents()}
        </nav>
        <main>
          <p>
            The same contract as a document for programs: <a href="/openapi.json">openapi.json</a>
            (OpenAPI 3.1). Every error under /api/sso/v1 has the body
            <code>{error, detail, code}</code>.
          </p>
          ${routes.map(section)} ${eventSections()}
        </main>
      </body>
    </html>`;
}

function contents(name: string, routes: readonly Route[]): Html {
  return html`<h2>${name.replaceAll('_', ' ')}</h2>
    <ul>
      ${routes.map((route) => html`<li><a href="#${route.id}">${route.summary}</a></li>`)}
    </ul>`;
}

function section(route: Route): Html {
  return html`<section id="${route.id}">
    <h2>${route.summary}</h2>
    <p class="call"><b>${route.method}</b> <code>${route.path}</code></p>
    ${route.description === undefined ? undefined : html`<p>${prose(route.description)}</p>`}
    <p class="access">${accessText(route)}</p>
    ${fields('Path', route.params)} ${fields('Query', route.query)} ${fields('Body', route.body)}
    ${example('Example of a body', route.body)}
    ${fields(`Answer ${route.ok.status}`, route.ok.body)}
    ${example('Example of an answer', route.ok.body)}
    <h3>Errors</h3>
    <ul class="errors">
      ${[...new Set([...route.errors, ...impliedErrors(route)])]
        .toSorted((one, other) => ERRORS[one].status - ERRORS[other].status)
        .map(
          (code) =>
            html`<li>
              <b>${ERRORS[code].status}</b> <code>${code}</code> ${ERRORS[code].detail}
            </li>`,
        )}
    </ul>
  </section>`;
}

function example(title: string, schema: TSchema | undefined): Html | undefined {
  if (schema === undefined) return undefined;
  const value = exampleOf(schema);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<details>
    <summary>${title}</summary>
    <pre><code>${text}</code></pre>
  </details>`;
}

function accessText(route: Route): Html {
  const scope = scopeOf(route);
  if (scope !== undefined) {
    const logins = loginsText(route);
    const more = logins === undefined ? '' : `, ${logins.replaceAll('`', '')}`;
    return html`Needs a token with the scope <code>${scope}</code>${more}.`;
  }
  if (route.access === 'system') return html`Needs the token of a system administrator.`;
  if (route.access === 'user') return html`Needs the token of a user.`;
  if (route.access === 'caller') return html`Needs a token.`;
  if (route.access === 'browser') return html`Needs a browser session.`;
  if (route.access === 'tenant') return html`Needs no token.`;
  return html`Needs no token and no tenant.`;
}
