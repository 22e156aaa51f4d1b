import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERRORS } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { impliedErrors, isTenantInRequest, scopeOf } from './route.ts';
import { ROUTES } from './routes.ts';

interface Reference {
  readonly $ref: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security: readonly object[];
  readonly 'x-required-scope'?: string;
}

type Document = {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
};

type Node = Readonly<Record<string, unknown>>;

function* objectsIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function documentOf(routes = ROUTES): Document {
  return openApiDocument(routes, '1.2.3') as Document;
}

const WHOLE = documentOf();

function linkTo(id: string, parameter: string): object {
  return { [id]: { operationId: id, parameters: { [parameter]: '$response.body#/id' } } };
}

/** Returns the part itself, or the part that it refers to. */
function resolved<Part extends object>(part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  const components: Readonly<Record<string, Readonly<Record<string, unknown>>>> = WHOLE.components;
  const found = components[kind]?.[name] as Part | undefined;
  assert.ok(found, part.$ref);
  return found;
}

function operationOf(route: (typeof ROUTES)[number]): Operation {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const found = WHOLE.paths[path]?.[route.method.toLowerCase()];
  assert.ok(found, route.id);
  return found;
}

describe('the OpenAPI document', () => {
  test('The OpenAPI document is the same each time, and its generation does not modify the routes', () => {
    const routesBefore = JSON.stringify(ROUTES);
    const [first, other] = [documentOf(), documentOf()];
    assert.notEqual(first, other);
    assert.equal(JSON.stringify(first), JSON.stringify(other));
    assert.equal(JSON.stringify(ROUTES), routesBefore);
    assert.deepEqual(documentOf([]).paths, {}, 'nothing is left of what was made before');
    assert.deepEqual(documentOf([]).components.schemas, {});
  });

  test('The OpenAPI document has version 3.1, and is plain JSON', () => {
    const document = documentOf();
    assert.equal(document.openapi, '3.1.0');
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  });

  test('The OpenAPI document refers only to existing components, and has no unused ones', () => {
    const { components } = documentOf();
    const text = JSON.stringify(documentOf());
    const kinds = ['schemas', 'responses', 'parameters', 'headers'] as const;
    for (const kind of kinds) {
      const referred = text.matchAll(new RegExp(`"#/components/${kind}/([\\w-]+)"`, 'g'));
      const names = new Set([...referred].map((match) => match[1] ?? ''));
      assert.deepEqual([...names].toSorted(), Object.keys(components[kind]).toSorted());
    }
    assert.doesNotMatch(text, /"\$id"/);
  });

  test('The OpenAPI document has no defaults in changes of settings, which generated clients would send', () => {
    const { schemas } = documentOf().components;
    const fields = Object.entries(schemas)
      .filter(([name]) => name.endsWith('Patch'))
      .flatMap(([, schema]) => Object.entries((schema as { properties: object }).properties));
    assert.ok(fields.length > 30);
    assert.deepEqual(
      fields.filter(([, field]) => 'default' in (field as object)).map(([name]) => name),
      [],
    );
  });

  test('The OpenAPI document names every nullable object, since generators drop null from unnamed ones', () => {
    const unnamed = [...objectsIn(documentOf())].filter(
      ({ type, properties }) => Array.isArray(type) && type.includes('object') && properties,
    );
    assert.deepEqual(unnamed, []);
    const inline = [...objectsIn(documentOf().paths)].filter(({ oneOf }) => oneOf !== undefined);
    assert.deepEqual(inline, [], 'the schema around it has no name');
  });

  test('The OpenAPI document names the objects next to a nullable one, or the Python generator takes null for a type', () => {
    const isNullable = (field: object) => 'oneOf' in field;
    const around = Object.entries(documentOf().components.schemas).flatMap(([name, schema]) => {
      const fields = Object.entries((schema as { properties?: Node }).properties ?? {});
      const hasNullable = fields.some(([, field]) => isNullable(field as object));
      return hasNullable
        ? fields.map(([field, value]) => [`${name}.${field}`, value] as const)
        : [];
    });
    assert.ok(around.length > 0);
    const unnamed = around.filter(([, field]) =>
      [...objectsIn(field)].some(({ type, properties }) => type === 'object' && properties),
    );
    assert.deepEqual(
      unnamed.map(([name]) => name),
      [],
    );
  });

  test('The OpenAPI document has no null among alternatives, which the Python generator cannot read', () => {
    const isNull = ({ type }: Node) => [type].flat().includes('null');
    const all = [...objectsIn(documentOf())];
    const alternatives = all.flatMap(({ anyOf }) =>
      Array.isArray(anyOf) ? (anyOf as Node[]) : [],
    );
    assert.ok(alternatives.length > 0);
    assert.deepEqual(alternatives.filter(isNull), []);
    // Generators turn a choice of a named object and null into an optional value.
    const nullable = all.flatMap(({ oneOf }) => (Array.isArray(oneOf) ? [oneOf as Node[]] : []));
    for (const [named, none, ...others] of nullable) {
      assert.deepEqual([Object.keys(named ?? {}), none, others], [['$ref'], { type: 'null' }, []]);
    }
  });

  test('The OpenAPI document names every union of a text and a list, since Java and Rust generators fail on unnamed ones', () => {
    const document = documentOf();
    const named = Object.values(document.components.schemas);
    const typesOf = (union: unknown) =>
      Array.isArray(union) ? (union as Node[]).map(({ type }) => type) : [];
    const isMixed = ({ anyOf, oneOf }: Node) => {
      const types = [...typesOf(anyOf), ...typesOf(oneOf)];
      return types.includes('string') && types.includes('array');
    };
    const mixed = [...objectsIn(document)].filter(isMixed);
    assert.ok(mixed.length > 0);
    assert.deepEqual(
      mixed.filter((node) => !named.includes(node)),
      [],
    );
  });

  test('The OpenAPI document has patterns without lookaround, which the regular expressions of Go and Rust do not have', () => {
    const patterns = [...objectsIn(documentOf())].flatMap(({ pattern }) =>
      typeof pattern === 'string' ? [pattern] : [],
    );
    assert.ok(patterns.length > 100);
    assert.deepEqual(
      patterns.filter((pattern) => /\(\?<?[=!]/.test(pattern)),
      [],
    );
  });

  test('The OpenAPI document names no schema like the constructor of another, which is NewX in Go', () => {
    const names = new Set(Object.keys(WHOLE.components.schemas));
    assert.deepEqual(
      [...names].filter((name) => names.has(`New${name}`)),
      [],
    );
  });

  test('The OpenAPI document describes the group of each operation, and no other group', () => {
    const groups = new Set(ROUTES.map(({ id }) => id.split('.')[0] ?? ''));
    const described = documentOf().tags.map(({ name }) => name);
    assert.deepEqual(described.toSorted(), [...groups].toSorted());
  });

  test('The OpenAPI document links operations that create a record to those that use it', () => {
    const { paths } = WHOLE;
    const created = paths['/api/sso/v1/agents']?.['post']?.responses['201'];
    assert.ok(created && 'links' in created);
    assert.deepEqual(created.links, {
      ...linkTo('agents.get', 'agent_id'),
      ...linkTo('agents.update', 'agent_id'),
      ...linkTo('agents.delete', 'agent_id'),
      ...linkTo('agents.dependents', 'agent_id'),
    });
    const role = paths['/api/sso/v1/roles']?.['post']?.responses['201'];
    assert.match(JSON.stringify(role), /"roles.get":.*"role":"\$response.body#\/name"/);
  });

  test('The OpenAPI document has exactly one operation for each route', () => {
    const operations = Object.values(documentOf().paths).flatMap((path) => Object.values(path));
    assert.deepEqual(
      operations.map((operation) => operation.operationId).toSorted(),
      ROUTES.map((route) => route.id).toSorted(),
    );
  });
});

for (const route of ROUTES) {
  test(`The operation ${route.id} states its input, its permitted callers, and its possible outcomes`, () => {
    const operation = operationOf(route);
    const names = (place: string) =>
      operation.parameters
        .map(resolved)
        .filter((parameter) => parameter.in === place)
        .map((parameter) => parameter.name);
    assert.deepEqual(names('path'), Object.keys(route.params?.properties ?? {}));
    assert.deepEqual(names('query'), Object.keys(route.query?.properties ?? {}));
    assert.equal(names('header').includes('X-Tenant-ID'), isTenantInRequest(route));
    assert.equal(names('header').includes('Idempotency-Key'), route.idempotent !== undefined);
    const hasBody = (route.body ?? route.lines) !== undefined;
    assert.equal(operation.requestBody !== undefined, hasBody);
    const isForAnyone = route.access === 'open' || route.access === 'tenant';
    assert.equal(operation.security.length > 0, !isForAnyone);
    assert.equal(operation['x-required-scope'], scopeOf(route));

    const codes = [...new Set([...route.errors, ...impliedErrors(route)])];
    const other = (route.other ?? []).map(({ status }) => status);
    const failures = codes.map((code) => ERRORS[code].status);
    const statuses = new Set<number>([route.ok.status, ...other, ...failures]);
    assert.deepEqual(Object.keys(operation.responses), [...statuses].map(String).toSorted());
    for (const code of codes) {
      const found = operation.responses[ERRORS[code].status];
      assert.ok(found);
      const { description, headers } = resolved(found);
      assert.ok(description.includes(`\`${code}\``), code);
      const isForLater = [429, 503].includes(ERRORS[code].status);
      assert.ok(!isForLater || 'Retry-After' in headers, code);
    }
  });
}
