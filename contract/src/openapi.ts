import Type, { type TSchema } from 'typebox';
import { type ErrorCode, ERRORS, ErrorBody, errorBody } from './errors.ts';
import { exampleOf } from './example.ts';
import { OAuthErrorBody, oauthErrorBody } from './oauth-error.ts';
import {
  HEADER_PARAMETERS,
  headerParameters,
  headersOf,
  headersOfErrors,
  headersUsedBy,
} from './openapi-headers.ts';
import { linksOf } from './openapi-links.ts';
import { type Components, content, refer } from './openapi-content.ts';
import { requestBody } from './openapi-requests.ts';
import { securityOf, securitySchemesOf, stepUpOf } from './openapi-security.ts';
import { TAGS, tagOf } from './openapi-tags.ts';
import { webhooksSection } from './openapi-webhooks.ts';
import { readOnlyFields } from './read-only.ts';
import { REQUIRED_SCOPE } from './records/tenant-config-patch.ts';
import { impliedErrors, isPage, loginsText, type Route, scopeOf } from './route.ts';

type Json = Record<string, unknown>;

const EXAMPLE_DOCS_URL = 'https://id.example.com/docs';

/** Returns the OpenAPI 3.1 document of the given routes. Pure: the same routes always produce the same document. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components: Components = { schemas: {}, responses: {} };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const described = operation(route, routes, components);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keywright',
      version,
      description:
        'Multi-tenant identity and access: logins, sessions and tokens that you can verify offline. `/reference` shows this document as web pages.',
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: tagsOf(routes),
    paths,
    webhooks: webhooksSection(),
    components: {
      ...components,
      parameters: HEADER_PARAMETERS,
      headers: headersUsedBy(routes),
      securitySchemes: securitySchemesOf(routes),
    },
  };
}

function tagsOf(routes: readonly Route[]): Json[] {
  const used = new Set(routes.map(tagOf));
  const tags = Object.entries(TAGS).filter(([name]) => used.has(name));
  return tags.map(([name, description]) => ({ name, description }));
}

function operation(route: Route, routes: readonly Route[], components: Components): Json {
  const scope = scopeOf(route);
  const logins = loginsText(route);
  return {
    operationId: route.id,
    tags: [tagOf(route)],
    summary: route.summary,
    ...describe(route),
    security: securityOf(route),
    ...(scope === undefined ? {} : { [REQUIRED_SCOPE]: scope }),
    ...(logins === undefined ? {} : { 'x-logins': logins }),
    ...(route.fresh === undefined ? {} : { 'x-step-up': stepUpOf(route.fresh) }),
    parameters: [
      ...fields('path', route.params, components),
      ...fields('query', route.query, components),
      ...headerParameters(route),
    ],
    ...requestBody(route, components),
    responses: responses(route, routes, components),
  };
}

function describe(route: Route): Json {
  const readOnly = readOnlyFields(route).map((name) => `\`${name}\``);
  const note = `You can send the record exactly as GET returned it: read-only fields (${readOnly.join(', ')}) are accepted with their current value.`;
  const sentences = [route.description, readOnly.length > 0 ? note : undefined];
  const description = sentences.filter((sentence) => sentence !== undefined).join(' ');
  return description === '' ? {} : { description };
}

function fields(
  place: 'path' | 'query',
  schema: TSchema | undefined,
  components: Components,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) =>
    parameter(name, place, place === 'path' || required.includes(name), property, components),
  );
}

function parameter(
  name: string,
  place: 'path' | 'query',
  required: boolean,
  schema: TSchema,
  components: Components,
): Json {
  const { description } = schema as { description?: string };
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: refer(schema, components),
    ...(required ? { example: exampleOf(schema, name) } : {}),
  };
}

function responses(route: Route, routes: readonly Route[], components: Components): Json {
  const answers: Answer[] = [successOf(route), ...(route.other ?? [])];
  const errors = errorsByStatus(route);
  const statuses = new Set([...answers.map(({ status }) => status), ...errors.keys()]);
  return Object.fromEntries(
    [...statuses]
      .toSorted((status, other) => status - other)
      .map((status) => {
        const same = answers.filter((answer) => answer.status === status);
        const codes = errors.get(status);
        if (same.length === 0) return [status, sharedError(route, codes ?? [], components)];
        const all = codes === undefined ? same : [...same, errorAnswer(route, codes)];
        const links = status === route.ok.status ? linksOf(route, routes) : {};
        const headers = { ...headersOf(route), ...headersOfErrors(codes ?? []) };
        return [status, { ...response(all, headers, components), ...links }];
      }),
  );
}

/** The schema of a web page. */
const PAGE = Type.String({
  description: 'A web page.',
  examples: ['<!doctype html><title>Keywright</title>'],
});
const PAGE_TYPE = 'text/html';

function successOf({ ok }: Route): Answer {
  const { status, body, contentType, alternative } = ok;
  if (ok.kind === 'html')
    return { status, description: 'Done.', body: PAGE, contentType: PAGE_TYPE };
  if (ok.kind === 'empty') return { status, description: 'Done.' };
  if (ok.kind === 'redirect') return { status, description: 'Done: continue at `Location`.' };
  return { status, description: 'Done.', ...(body ? { body } : {}), contentType, alternative };
}

function errorsByStatus(route: Route): Map<number, ErrorCode[]> {
  const codes = [...new Set([...route.errors, ...impliedErrors(route)])];
  return Map.groupBy(codes, (code) => ERRORS[code].status);
}

/** Returns a reference to a shared error response, because most operations have the same few errors. */
function sharedError(route: Route, codes: readonly ErrorCode[], components: Components): Json {
  const answer = errorAnswer(route, codes);
  const kind = { api: 'Error', oauth: 'OAuthError', page: 'PageError' }[route.errorForm ?? 'api'];
  const name = [kind, answer.status, ...codes.toSorted()].join('_');
  components.responses[name] ??= response([answer], headersOfErrors(codes), components);
  return { $ref: `#/components/responses/${name}` };
}

function errorAnswer(route: Route, codes: readonly ErrorCode[]): Answer {
  const [first = 'INTERNAL'] = codes;
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].detail}`).join('\n\n');
  const { status } = ERRORS[first];
  if (isPage(route)) return { status, description, body: PAGE, contentType: PAGE_TYPE };
  return {
    status,
    description,
    body: route.errorForm === 'oauth' ? OAuthErrorBody : ErrorBody,
    example: (route.errorForm === 'oauth' ? oauthErrorBody : errorBody)(first, EXAMPLE_DOCS_URL),
  };
}

interface Answer {
  readonly status: number;
  readonly description: string;
  readonly body?: TSchema;
  readonly contentType?: string | undefined;
  readonly alternative?: Route['ok']['alternative'];
  readonly example?: unknown;
}

/** Combines the responses of one status: all of their descriptions, and a union of their bodies. */
function response(answers: readonly Answer[], headers: Json, components: Components): Json {
  const bodies = [...new Set(answers.map(({ body }) => body))].filter((body) => body !== undefined);
  const [only] = bodies;
  const body = bodies.length > 1 ? Type.Union(bodies) : only;
  const [first] = answers;
  return {
    description: answers.map(({ description }) => description).join('\n\n'),
    headers,
    ...(body ? { content: contentOf(body, first, components) } : {}),
  };
}

function contentOf(body: TSchema, answer: Answer | undefined, components: Components): Json {
  const { alternative, contentType, example = exampleOf(body) } = answer ?? {};
  return {
    ...content(body, components, example, contentType),
    ...(alternative
      ? content(alternative.body, components, exampleOf(alternative.body), alternative.contentType)
      : {}),
  };
}
