// The routes that the console calls, and the facts of its forms.

import { EVENTS } from '@keywright/contract/events';
import { ROUTES } from '@keywright/contract/routes';
import { API_BASE, type Route, scopeOf } from '@keywright/contract/route';
import { factsOfEvents, fieldsOfAll } from './event-facts.ts';
import { factsOf, type FieldSchema, schemaOfPart } from './facts.ts';
import { FORMS, GROUPS, OPEN, STREAMS } from './used.ts';

const FOLDER = 'ui/console/src/generated';
const NOTE = '// Made from the contract by `npm run generate`.\n\n';

const CALLED = ROUTES.filter(({ id, path, access, ok }) => {
  if (STREAMS.includes(id)) return true;
  const isUsed = GROUPS.includes(id.split('.', 1)[0] ?? '');
  return (
    isUsed &&
    (access !== 'open' || OPEN.includes(id)) &&
    path.startsWith(API_BASE) &&
    (ok.kind ?? 'json') === 'json'
  );
});

/** Returns the generated files by their paths from the root. */
export function consoleFiles(): ReadonlyMap<string, string> {
  return new Map([
    [`${FOLDER}/routes.ts`, `${NOTE}${routesFile()}`],
    [`${FOLDER}/facts.ts`, `${NOTE}${factsFile()}`],
    [`${FOLDER}/choices.ts`, `${NOTE}${choicesFile()}`],
    [`${FOLDER}/event-facts.ts`, `${NOTE}${eventFactsFile()}`],
  ]);
}

/** Generates a short file, since every page loads it: method, path below the API, and required scope. */
function routesFile(): string {
  const rows = CALLED.map((route) => `  '${route.id}': '${wordsOf(route)}',\n`);
  return `/** \`METHOD /path scope\`, \`*\` before what takes effect once per Idempotency-Key. */\nexport const ROUTES = {\n${rows.join('')}} as const;\n`;
}

function wordsOf(route: Route): string {
  const mark = route.idempotent ? '*' : '';
  const path = route.path.slice(API_BASE.length);
  return `${mark}${route.method} ${path} ${scopeOf(route) ?? ''}`.trim();
}

function factsFile(): string {
  const forms = Object.entries(FORMS).map(([name, { of, route, part, record, without = [] }]) => {
    const body = ROUTES.find(({ id }) => id === route)?.body as FieldSchema | undefined;
    const schema = part === undefined || !body ? body : schemaOfPart(body, part);
    if (schema === undefined) throw new Error(`${route} has no body ${part ?? ''}.`);
    const facts = factsOf(schema, record)
      .filter((field) => !without.includes(field.name))
      .map((field) => `  ${JSON.stringify(field)},\n`);
    return `export const ${name} = fieldsOf('${of}', [\n${facts.join('')}]);\n`;
  });
  return `import { fieldsOf } from '../api/field-facts.ts';\n\n${forms.join('\n')}`;
}

function choicesFile(): string {
  const audit = ROUTES.find(({ id }) => id === 'audit.list')?.query as FieldSchema | undefined;
  const actions = audit?.properties?.['action']?.enum ?? [];
  const lines = (names: readonly unknown[]) =>
    names.map((name) => `  '${String(name)}',\n`).join('');
  return [
    `/** The actions that the audit log is filtered by. */\nexport const AUDIT_ACTIONS: readonly string[] = [\n${lines(actions)}];\n`,
    `/** The types that events are filtered by. */\nexport const EVENT_TYPES: readonly string[] = [\n${lines(Object.keys(EVENTS))}];\n`,
  ].join('\n');
}

function eventFactsFile(): string {
  const lines = (rows: readonly string[]) => rows.map((row) => `  ${row},\n`).join('');
  const all = fieldsOfAll().map((field) => JSON.stringify(field));
  const byType = factsOfEvents().map(([type, facts]) => `'${type}': ${JSON.stringify(facts)}`);
  return [
    "import type { EventFacts, EventField } from '../api/event-facts.ts';\n",
    `/** Of every event. */\nexport const EVENT_FIELDS: readonly EventField[] = [\n${lines(all)}];\n`,
    `export const EVENT_FACTS: Readonly<Record<string, EventFacts>> = {\n${lines(byType)}};\n`,
  ].join('\n');
}
