// Generates the client from the routes of the contract: the types of its methods, and the table that it runs on.

import { ERRORS } from '@keywright/contract/errors';
import { openApiDocument } from '@keywright/contract/openapi';
import { SECRET_MARK } from '@keywright/contract/records/tokens';
import { loginsText, needsToken, type Route, scopeOf } from '@keywright/contract/route';
import { comment, fieldsOf, type Schema, typeOf } from './types.ts';

/** The component that is thrown as an error, not answered. */
const ERROR_BODY = 'Error';

interface Operation {
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content?: {
    readonly 'application/json'?: { readonly schema: Schema };
    readonly 'application/x-ndjson'?: { readonly 'x-line-schema': Schema };
  };
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** A route with the facts that the client needs. */
export interface Method {
  readonly route: Route;
  readonly group: string;
  readonly name: string;
  readonly params: readonly string[];
  readonly body: Schema | undefined;
  /** The schema of each line, if the body consists of lines. */
  readonly line: Schema | undefined;
  readonly query: Schema | undefined;
  readonly answer: Schema;
  /** The schema of the items, if the route is a list. */
  readonly item: Schema | undefined;
  /** The field that the response shows only once, if the route creates a secret. */
  readonly secret: string | undefined;
}

/** Returns `sdk/src/generated/records.ts`: the records in the service's responses. */
export function recordsFile(routes: readonly Route[]): string {
  const secrets = secretRecords(routes);
  const codes = Object.keys(ERRORS).map((code) => `  | '${code}'`);
  return [
    `/** The error codes of the service. */\nexport type ServiceErrorCode =\n${codes.join('\n')};\n`,
    ...recordsOf(routes).map((record) => recordType(withSecret(record, secrets))),
  ].join('\n');
}

/** `sdk/src/generated/api.ts`: an interface for each group of routes. */
export function apiFile(routes: readonly Route[]): string {
  const methods = methodsOf(routes);
  const groups = [...new Set(methods.map(({ group }) => group))];
  const interfaces = groups.map((group) => {
    const signatures = methods.filter((method) => method.group === group).map(signatureOf);
    return `export interface ${typeName(group)} {\n${signatures.join('\n')}}\n`;
  });
  const used = recordsOf(routes)
    .map(([name]) => name)
    .filter((name) => interfaces.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  const fields = groups.map((group) => `  readonly ${group}: ${typeName(group)};\n`).join('');
  return [
    [
      "import type { ApiPromise } from '../client/api-promise.ts';\n",
      "import type { Listing } from '../client/listing.ts';\n",
      "import type { CallOptions } from '../client/operation.ts';\n",
      `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './records.ts';\n`,
    ].join(''),
    ...interfaces,
    `/** Every route of the service, by group. */\nexport interface Api {\n${fields}}\n`,
  ].join('\n');
}

/** Returns `sdk/src/generated/operations.ts`: the route of each method. */
export function operationsFile(routes: readonly Route[]): string {
  const methods = methodsOf(routes);
  const groups = [...new Set(methods.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const entries = methods.filter((method) => method.group === group).map(rowOf);
    return `  ${group}: {\n${entries.join('')}  },\n`;
  });
  return `import type { Operation } from '../client/operation.ts';\n\nexport const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {\n${rows.join('')}};\n`;
}

export function recordsOf(routes: readonly Route[]): (readonly [name: string, schema: Schema])[] {
  const { schemas } = documentOf(routes).components;
  return Object.entries(schemas).filter(([name]) => name !== ERROR_BODY);
}

function documentOf(routes: readonly Route[]): Document {
  return openApiDocument(routes, '') as Document;
}

/** Each route as a method of the client. */
export function methodsOf(routes: readonly Route[]): Method[] {
  const { paths } = documentOf(routes);
  return routes.map((route) => {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const operation = paths[path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`The document lacks ${route.id}.`);
    const [group = '', name = ''] = route.id.split('.');
    const answer = jsonIn(operation.responses[route.ok.status]) ?? {};
    return {
      route,
      group: camelCase(group),
      name: camelCase(name),
      params: [...route.path.matchAll(/:([a-z_]+)/g)].map(([, param = '']) => param),
      body: jsonIn(operation.requestBody),
      line: operation.requestBody?.content?.['application/x-ndjson']?.['x-line-schema'],
      query: queryOf(operation),
      answer,
      item: answer.properties?.['meta'] ? answer.properties['items']?.items : undefined,
      secret: secretOf(route),
    };
  });
}

/** Returns the secret field that a repeated response omits. */
function secretOf({ idempotent, ok }: Route): string | undefined {
  if (!idempotent) return undefined;
  const { properties = {}, required = [] } = (ok.body ?? {}) as Schema;
  const found = Object.entries(properties).find(
    ([name, field]) => SECRET_MARK in field && !required.includes(name),
  );
  return found?.[0];
}

function jsonIn(body: Body | undefined): Schema | undefined {
  return body?.content?.['application/json']?.schema;
}

function queryOf({ parameters }: Operation): Schema | undefined {
  const fields = parameters.filter((parameter) => parameter.in === 'query');
  if (fields.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, booleanOr(schema)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Lets callers pass Booleans for `true` and `false` in a query. */
function booleanOr(schema: Schema): Schema {
  const isBoolean = schema.enum?.length === 2 && schema.enum.includes('true');
  if (!isBoolean) return schema;
  const { enum: _, ...rest } = schema;
  return { ...rest, type: 'boolean' };
}

/** Returns the records that show a secret once, with the field of the secret. */
function secretRecords(routes: readonly Route[]): ReadonlyMap<string, string> {
  return new Map(
    routes.flatMap((route) => {
      const field = secretOf(route);
      const { $id } = (route.ok.body ?? {}) as Schema;
      return field === undefined || $id === undefined ? [] : [[$id, field]];
    }),
  );
}

function withSecret(
  [name, schema]: readonly [string, Schema],
  secrets: ReadonlyMap<string, string>,
): readonly [string, Schema] {
  const field = secrets.get(name);
  if (field === undefined) return [name, schema];
  return [name, { ...schema, required: [...(schema.required ?? []), field] }];
}

function recordType([name, schema]: readonly [string, Schema]): string {
  const { description, ...rest } = schema;
  const head = comment(description);
  if (schema.type !== 'object' || schema.properties === undefined) {
    return `${head}export type ${name} = ${typeOf(rest)};\n`;
  }
  return `${head}export interface ${name} {\n${fieldsOf(schema, '  ')}}\n`;
}

function signatureOf(method: Method): string {
  const { route, name, params, body, line, query, answer, item } = method;
  const takes = [
    ...params.map((param) => `${camelCase(param)}: string`),
    ...(body === undefined ? [] : [`body: ${typeOf(body, '  ')}`]),
    ...(line === undefined ? [] : [`lines: readonly ${typeOf(line)}[]`]),
    ...(query === undefined ? [] : [queryArgument(query)]),
    'options?: CallOptions',
  ];
  const returns =
    item === undefined ? `ApiPromise<${answerType(method, answer)}>` : `Listing<${typeOf(item)}>`;
  return `${comment(documentation(route), '  ')}  ${name}(${takes.join(', ')}): ${returns};\n`;
}

function queryArgument(query: Schema): string {
  const mark = query.required?.length ? '' : '?';
  return `query${mark}: ${typeOf(query, '  ')}`;
}

function answerType({ route }: Method, answer: Schema): string {
  return route.ok.contentType === undefined ? typeOf(answer, '  ') : 'string';
}

function documentation(route: Route): string {
  const scope = scopeOf(route);
  const logins = loginsText(route);
  const codes = [...new Set(route.errors)];
  return [
    `${route.summary}.`,
    ...(route.description === undefined ? [] : ['', route.description]),
    '',
    `\`${route.method} ${route.path}\`${scope === undefined ? '' : `, scope \`${scope}\``}${logins === undefined ? '' : `, ${logins}`}`,
    ...(codes.length === 0
      ? []
      : ['', `@throws ApiError ${codes.map((code) => `\`${code}\``).join(', ')}`]),
  ].join('\n');
}

function rowOf({ route, name, body, line, query, item, secret }: Method): string {
  const marks = [
    ...(body === undefined ? [] : ['body: true']),
    ...(line === undefined ? [] : ['lines: true']),
    ...(query === undefined ? [] : ['query: true']),
    ...(item === undefined ? [] : ['list: true']),
    ...(needsToken(route) ? [] : ['open: true']),
    ...(route.idempotent ? ['idempotent: true'] : []),
    ...(secret === undefined ? [] : [`secret: '${secret}'`]),
  ].map((mark) => `, ${mark}`);
  return `    ${name}: { method: '${route.method}', path: '${route.path}'${marks.join('')} },\n`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function typeName(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Api`;
}
