import { exampleOf } from '@keywright/contract/example';
import { tagOf } from '@keywright/contract/openapi-tags';
import { isTenantInRequest, needsToken, type Route } from '@keywright/contract/route';
import type { TObject } from 'typebox';
import { EXAMPLE_ORIGIN } from './example-origin.ts';

const EXAMPLE_TENANT = 'org_acme';
/** The environment variable from which samples read the token. */
export const TOKEN_VARIABLE = 'KEYWRIGHT_TOKEN';

type Fields = Readonly<Record<string, unknown>>;

/** What is sent as the body of a request. */
export type SampleBody =
  | { readonly kind: 'json'; readonly value: Fields }
  | { readonly kind: 'form'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'lines'; readonly lines: readonly Fields[] };

/** An example request of a route, with the parameters that it requires. */
export interface SampleRequest {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  readonly url: string;
  /** Undefined if the host or the path names the tenant. */
  readonly tenant: string | undefined;
  readonly hasToken: boolean;
  readonly body: SampleBody | undefined;
}

export function sampleRequest(route: Route): SampleRequest {
  const params = paramsOf(route);
  const query = requiredOf(route.query);
  return {
    route,
    params,
    query,
    url: `${EXAMPLE_ORIGIN}${filled(route.path, params)}${queryText(query)}`,
    tenant: isTenantInRequest(route) ? EXAMPLE_TENANT : undefined,
    hasToken: carriesToken(route),
    body: bodyOf(route),
  };
}

/** The groups whose routes check the token themselves, as their specifications require. */
const CHECKED_BY_HANDLER: readonly string[] = ['signals', 'userinfo'];
/** RFC 7592: a client manages its registration with a token. */
const REGISTRATION = /\/oauth\/register\/:client_id$/;

function carriesToken(route: Route): boolean {
  const isChecked =
    CHECKED_BY_HANDLER.includes(tagOf(route)) && route.errors.includes('TOKEN_INVALID');
  return needsToken(route) || isChecked || REGISTRATION.test(route.path);
}

function paramsOf({ path, params }: Route): Readonly<Record<string, string>> {
  const names = [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => {
      const schema = params?.properties[name];
      return [name, schema ? String(exampleOf(schema, name)) : ''];
    }),
  );
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  // RFC 3986 §3.3: a path segment can contain these two unencoded.
  return path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? '')
      .replaceAll('%3A', ':')
      .replaceAll('%40', '@'),
  );
}

function queryText(query: Fields): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) search.append(name, String(item));
  }
  return search.size > 0 ? `?${search.toString()}` : '';
}

/** The required fields of a schema, with their examples. */
function requiredOf(schema: TObject | undefined): Fields {
  if (!schema) return {};
  const required = schema.required ?? [];
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, exampleOf(property, name)]),
  );
}

function bodyOf({ body, lines, form }: Route): SampleBody | undefined {
  if (lines) return { kind: 'lines', lines: [exampleOf(lines.schema) as Fields] };
  if (!body) return undefined;
  const value = bodyExample(body);
  const texts = Object.entries(value);
  const isForm = form !== undefined && form !== 'text';
  if (isForm && texts.every(([, text]) => typeof text === 'string')) {
    return { kind: 'form', fields: value as Readonly<Record<string, string>> };
  }
  return { kind: 'json', value };
}

/** Without its own example, a body has its required fields or, if it has none, its first field. */
function bodyExample(body: TObject): Fields {
  if ('examples' in body) return exampleOf(body) as Fields;
  const required = requiredOf(body);
  if (Object.keys(required).length > 0) return required;
  const [first] = Object.entries(body.properties);
  return first ? { [first[0]]: exampleOf(first[1], first[0]) } : {};
}
