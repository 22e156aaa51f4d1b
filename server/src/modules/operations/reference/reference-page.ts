import { ERRORS } from '@keywright/contract/errors';
import { scopesToReceive } from '@keywright/contract/event-scopes';
import { EVENTS, EVENT_TYPES, type EventType } from '@keywright/contract/events';
import { exampleOf } from '@keywright/contract/example';
import { type Route, impliedErrors, loginsText, scopeOf } from '@keywright/contract/route';
import type { TSchema } from 'typebox';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';

/** Renders the reference of all routes and events as one page, without scripts or external resources. */
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
            The same contract in machine-readable form: <a href="/openapi.json">openapi.json</a>
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
    ${example('Example body', route.body)} ${fields(`Response ${route.ok.status}`, route.ok.body)}
    ${example('Example response', route.ok.body)}
    <h3>Errors</h3>
    <ul class="errors">
      ${[...new Set([...route.errors, ...impliedErrors(route)])]
        .toSorted((code, other) => ERRORS[code].status - ERRORS[other].status)
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
    return html`Requires a token with the scope <code>${scope}</code>${more}.`;
  }
  if (route.access === 'system') return html`Requires the token of a system administrator.`;
  if (route.access === 'user') return html`Requires the token of a user.`;
  if (route.access === 'caller') return html`Requires a token.`;
  if (route.access === 'browser') return html`Requires a browser session.`;
  if (route.access === 'tenant') return html`Does not require a token.`;
  return html`Does not require a token or a tenant.`;
}

/** Renders links to the event types. Routes have IDs of their own on the page. */
function eventContents(): Html {
  return html`<h2>event types</h2>
    <ul>
      ${EVENT_TYPES.map((type) => html`<li><a href="#event-${type}">${type}</a></li>`)}
    </ul>`;
}

/** Renders the meaning and the data of each event type. */
function eventSections(): Html[] {
  return EVENT_TYPES.map(eventSection);
}

function eventSection(type: EventType): Html {
  const { meaning, isSpecified, data } = EVENTS[type];
  const scopes = scopesToReceive(type).map((scope) => html` <code>${scope}</code>`);
  return html`<section id="event-${type}">
    <h2>Event ${type}</h2>
    <p>${prose(meaning)}</p>
    <p class="access">
      A webhook needs${scopes} to receive this
      event${isSpecified ? undefined : ', and must name it'}.
    </p>
    ${fields('Data', data)}
  </section>`;
}

/** Renders text between backticks as code. */
function prose(text: string): (Html | string)[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

interface Field extends Record<string, unknown> {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, Field>;
  readonly items?: Field;
  readonly required?: readonly string[];
}

/** Renders the fields of a schema as a table. */
function fields(title: string, schema: TSchema | undefined): Html | undefined {
  const rows = schema === undefined ? [] : rowsOf(schema as Field, '');
  if (rows.length === 0) return undefined;
  return html`<h3>${title}</h3>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Type</th>
            <th>Needed</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function rowsOf(schema: Field, prefix: string): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = html`<tr>
      <td><code>${prefix}${name}</code></td>
      <td>${typeText(field)}</td>
      <td>${schema.required?.includes(name) ? 'required' : ''}</td>
      <td>${prose(field.description ?? '')}</td>
    </tr>`;
    const inner = rowsOf(field, `${prefix}${name}.`);
    const items = field.items ? rowsOf(field.items, `${prefix}${name}[].`) : [];
    return [row].concat(inner, items);
  });
}

function typeText(field: Field): string {
  if (Array.isArray(field['enum'])) return field['enum'].join(' | ');
  if ('const' in field) return JSON.stringify(field['const']);
  const members = field['anyOf'] ?? field['oneOf'];
  if (Array.isArray(members)) return members.map((member) => typeText(member as Field)).join(' | ');
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']
    .filter((name) => name in field)
    .map((name) => `${name} ${String(field[name])}`);
  const type = field.items ? `array of ${typeText(field.items)}` : (field.type ?? 'any');
  return bounds.length > 0 ? `${type} (${bounds.join(', ')})` : type;
}

/** The style sheet of the reference page. */
const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: light-dark(#1a4fa3, #8ab4f8); }
* { box-sizing: border-box; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav h1 { font-size: 1.1rem; margin: 0 0 1rem; }
nav h1 small { font-weight: 400; opacity: .7; }
nav h2 { font-size: .8rem; margin: 1.2rem 0 .3rem; text-transform: capitalize; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .12rem 0; }
main { padding: 1.5rem 2.5rem 6rem; max-width: 62rem; }
details { margin: .8rem 0; }
summary { cursor: pointer; font-size: .9rem; }
pre { background: var(--soft); border-radius: .4rem; padding: .6rem .8rem; white-space: pre-wrap; }
section { border-top: 1px solid var(--line); padding: 1.2rem 0 1.6rem; scroll-margin-top: 1rem; }
h2 { font-size: 1.25rem; margin: 0 0 .4rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .4rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.call { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .45rem .7rem; }
.call b { color: var(--accent); margin-right: .4rem; }
.access { opacity: .8; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
table code { overflow-wrap: normal; white-space: nowrap; }
th:nth-child(1) { width: 17rem; }
th:nth-child(2) { width: 15rem; }
th:nth-child(3) { width: 5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
.errors { list-style: none; padding: 0; margin: 0; font-size: .9rem; }
.errors b { font-weight: 600; margin-right: .4rem; }
.errors code { margin-right: .4rem; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
@media (max-width: 40rem) {
  table, tbody, tr { display: block; }
  thead { display: none; }
  tr { padding: .45rem 0; border-bottom: 1px solid var(--line); }
  td { display: inline; padding: 0 .6rem 0 0; border: 0; opacity: .85; }
  td:first-child, td:last-child { opacity: 1; }
  td:first-child, td:last-child:not(:empty) { display: block; }
  table code { white-space: normal; overflow-wrap: anywhere; }
}
`;
