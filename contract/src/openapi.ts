import Type, { type TSchema } from 'typebox';
import { ERRORS, ErrorBody } from './errors.ts';
import { OAuthErrorBody } from './oauth-error.ts';
import { portable } from './openapi-schema.ts';
import { TAGS, tagOf } from './openapi-tags.ts';
import { impliedErrors, needsToken, type Route, scopeOf } from './route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the given routes. Pure: the same routes give the same document. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keywright',
      version,
      description:
        'Multi-tenant identity and access: logins, sessions, and tokens that verify offline.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    externalDocs: { url: '/reference', description: 'The same as a page to read.' },
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: BEARER },
    },
  };
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An access token, from a login or from the token endpoint; or an API key of an agent, in its place.',
};

function tagsOf(routes: readonly Route[]): Json[] {
  const used = new Set(routes.map(tagOf));
  const known = Object.entries(TAGS).filter(([name]) => used.has(name));
  return known.map(([name, description]) => ({ name, description }));
}

function operation(route: Route, components: Json): Json {
  const scope = scopeOf(route);
  return {
    operationId: route.id,
    tags: [tagOf(route)],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: needsToken(route) ? [{ bearer: [] }] : [],
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parameters(route, components),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: requestContent(route, route.body, components) },
        }),
    responses: responses(route, components),
  };
}

function parameters(route: Route, components: Json): Json[] {
  return [
    ...fields('path', route.params, components),
    ...fields('query', route.query, components),
    ...(route.access === 'open'
      ? []
      : [header('X-Tenant-ID', 'The tenant. Without it, the host name decides.')]),
    ...(route.idempotent
      ? [header('Idempotency-Key', 'Kept for 24 hours: a repeat gets the first answer.')]
      : []),
  ];
}

function fields(place: 'path' | 'query', schema: TSchema | undefined, components: Json): Json[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = schema as { properties?: Json; required?: string[] };
  return Object.entries(properties ?? {}).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: refer(one, components),
  }));
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function responses(route: Route, components: Json): Json {
  const answers: Answer[] = [
    { ...route.ok, description: 'Done.' },
    ...(route.other ?? []),
    ...[...new Set([...route.errors, ...impliedErrors(route)])].map((code) => ({
      status: ERRORS[code].status,
      description: `\`${code}\`: ${ERRORS[code].detail}`,
      body: route.oauth ? OAuthErrorBody : ErrorBody,
    })),
  ];
  const byStatus = [...Map.groupBy(answers, ({ status }) => status)];
  return Object.fromEntries(
    byStatus
      .toSorted(([one], [other]) => one - other)
      .map(([status, same]) => [status, response(same, components)]),
  );
}

interface Answer {
  readonly status: number;
  readonly description: string;
  readonly body?: TSchema;
  readonly contentType?: string;
}

/** Answers of one status: each said, and any of their bodies. */
function response(answers: readonly Answer[], components: Json): Json {
  const bodies = [...new Set(answers.map(({ body }) => body))].filter((body) => body !== undefined);
  const [only] = bodies;
  const body = bodies.length > 1 ? Type.Union(bodies) : only;
  return {
    description: answers.map(({ description }) => description).join('\n\n'),
    ...(body ? { content: content(body, components, answers[0]?.contentType) } : {}),
  };
}

function requestContent({ oauth }: Route, body: TSchema, components: Json): Json {
  const inJson = content(body, components);
  return oauth
    ? { ...inJson, 'application/x-www-form-urlencoded': inJson['application/json'] }
    : inJson;
}

function content(schema: TSchema, components: Json, type = 'application/json'): Json {
  return { [type]: { schema: refer(schema, components) } };
}

/** Puts every schema that has an `$id` among the components, and a reference in its place. */
function refer(schema: unknown, components: Json): unknown {
  return referParts(portable(schema), components);
}

function referParts(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((one) => referParts(one, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const resolved = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, referParts(value, components)]),
  );
  if (typeof $id !== 'string') return resolved;
  components[$id] = resolved;
  return { $ref: `#/components/schemas/${$id}` };
}
