// Generates the fields of the routes that are commands.

import { expectationOf, type RequestSchema } from '@keywright/contract/expectation';
import { SECRET_MARK } from '@keywright/contract/records/tokens';
import { type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { TABLE } from '../src/remote/table.ts';
import type { Field, FieldKind, RouteFields } from '../src/remote/route-fields.ts';

interface FieldSchema extends RequestSchema {
  readonly description?: string;
  readonly items?: FieldSchema;
  readonly [SECRET_MARK]?: boolean;
}

/** Not options: list commands page through the results themselves. */
const PAGING_FIELDS = ['page', 'limit'];

/** `cli/src/generated/routes.ts`, by its path from the root. */
export function cliFiles(): ReadonlyMap<string, string> {
  const ids = new Set<string>(TABLE.map(({ route }) => route));
  const rows = ROUTES.filter(({ id }) => ids.has(id)).map(
    (route) => `  '${route.id}': ${literal(describe(route))},\n`,
  );
  const text = [
    '// Generated from the contract by `npm run generate`.\n\n',
    "import type { RouteFields } from '../remote/route-fields.ts';\n\n",
    `const FIELDS = {\n${rows.join('')}} as const satisfies Record<string, RouteFields>;\n\n`,
    'export type RouteId = keyof typeof FIELDS;\n',
    'export const ROUTES: Readonly<Record<RouteId, RouteFields>> = FIELDS;\n',
  ];
  return new Map([['cli/src/generated/routes.ts', text.join('')]]);
}

function describe(route: Route): RouteFields {
  const { id, path, description = '', query, body } = route;
  const [group = '', method = ''] = id.split('.');
  return {
    group,
    method: method.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    about: `${description.replaceAll('`', '')} ${callOf(route)}`.trim(),
    takes: [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name.toUpperCase()),
    hasBody: body !== undefined,
    fields: [
      ...fieldsOf('query', query).filter(({ name }) => !PAGING_FIELDS.includes(name)),
      ...fieldsOf('body', body),
    ],
  };
}

function literal(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
}

function callOf(route: Route): string {
  const scope = scopeOf(route);
  const needs = scope === undefined ? '' : `, which requires the scope ${scope}`;
  return `Calls ${route.method} ${route.path.replaceAll(/:([a-z_]+)/g, '<$1>')}${needs}.`;
}

function fieldsOf(place: Field['in'], schema: unknown): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as RequestSchema;
  return Object.entries(properties).map(([name, property]) =>
    describeField(place, name, property as FieldSchema, required.includes(name)),
  );
}

function describeField(
  place: Field['in'],
  name: string,
  field: FieldSchema,
  isRequired: boolean,
): Field {
  const kind = kindOf(name, field);
  const choices = kind === 'list' ? field.items?.enum : kind === 'text' && field.enum;
  return {
    name,
    in: place,
    kind,
    help: helpOf(field, kind),
    ...(choices ? { choices: choices.map(String) } : {}),
    ...(isRequired ? { isRequired: true as const } : {}),
  };
}

function kindOf(name: string, field: FieldSchema): FieldKind {
  if (field[SECRET_MARK]) return 'secret';
  if (name === 'dry_run') return 'switch';
  const isTruth = field.enum?.length === 2 && field.enum.includes('true');
  if (field.type === 'boolean' || isTruth) return 'boolean';
  if (field.type === 'integer') return 'number';
  if (field.type === 'array' && (field.items?.type === 'string' || field.items?.enum))
    return 'list';
  return field.type === 'string' || field.enum ? 'text' : 'json';
}

const MAX_CHOICES = 6;

/** Returns the description in the contract or, without one, the expected format. */
function helpOf(field: FieldSchema, kind: FieldKind): string {
  const { description } = field;
  const choices = field.enum ?? field.items?.enum;
  if (kind === 'switch') return 'show what would happen, without changing anything';
  if (kind === 'boolean') return 'true or false';
  const said = description ?? (kind === 'list' ? field.items?.description : undefined);
  if (said !== undefined) return said.replaceAll('`', '').replace(/\.$/, '');
  if (choices && choices.length > MAX_CHOICES)
    return 'one of the kinds in docs/reference/events.md';
  return expectationOf(kind === 'list' && field.items ? field.items : field);
}
