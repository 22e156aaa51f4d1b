import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { validator } from '../../server/src/platform/http/validation.ts';
import { EVENT_TYPES, EventRecord, EVENTS } from './events.ts';
import { openApiDocument } from './openapi.ts';
import { ROUTES } from './routes.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

type Section = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const document = openApiDocument(ROUTES, '1.2.3') as {
  readonly paths: Section;
  readonly webhooks: Section;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly description?: string }>>;
    readonly responses: Operation['responses'];
  };
};
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
  (methods) => Object.values(methods),
);

const isSound = (schema: TSchema, value: unknown) => {
  const compiled = Compile(schema);
  assert.ok(compiled.Check(value), JSON.stringify(compiled.Errors(value)));
};

function operationOf({ path, method }: (typeof ROUTES)[number]): Operation {
  const found = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  assert.ok(found, path);
  return found;
}

for (const route of ROUTES) {
  test(`The examples of ${route.id} match its request and response schemas`, () => {
    const { requestBody, responses, parameters = [] } = operationOf(route);
    if (route.body) {
      // Uses the service's own validator.
      const { 'application/json': json, ...others } = requestBody?.content ?? {};
      const example = (json ?? Object.values(others)[0])?.example;
      assert.deepEqual(validator(route.body, false)(example), { value: example });
    }
    for (const { name, in: place, example } of parameters.filter(
      (parameter) => 'example' in parameter,
    )) {
      const schema = place === 'path' ? route.params : route.query;
      isSound((schema?.properties ?? {})[name ?? ''] as TSchema, example);
    }
    const answers = responses[route.ok.status]?.content ?? {};
    const { contentType = 'application/json', body, alternative } = route.ok;
    if (body) isSound(body, answers[contentType]?.example);
    if (alternative) isSound(alternative.body, answers[alternative.contentType]?.example);
  });
}

describe('the OpenAPI document', () => {
  test('The OpenAPI document has an example of every request, response and error body', () => {
    const answers = [
      ...operations.map(({ responses }) => responses),
      document.components.responses,
    ].flatMap((responses) => Object.values(responses));
    const bodies = [...operations.map(({ requestBody }) => requestBody), ...answers];
    const media = bodies.flatMap((body) => Object.values(body?.content ?? {}));
    assert.ok(media.length > 2 * ROUTES.length);
    assert.deepEqual(
      media.filter(({ example }) => example === undefined),
      [],
    );
  });

  test('The OpenAPI document describes every operation, every parameter and every field', () => {
    const { schemas } = document.components;
    const unnamed = Object.entries(schemas).filter(([, { description }]) => !description);
    assert.deepEqual(
      unnamed.map(([name]) => name),
      [],
    );
    for (const operation of operations) {
      assert.ok(operation.description, operation.operationId);
      const parameters = (operation.parameters ?? []).filter((parameter) => !('$ref' in parameter));
      assert.deepEqual(
        parameters.filter(({ description }) => !description),
        [],
      );
    }
    const { paths, webhooks } = document;
    assert.deepEqual([...fieldsWithout({ schemas, paths, webhooks }, '')], []);
  });

  test('The OpenAPI document has a webhook for every kind of event, with an example of its data', () => {
    assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { requestBody } = document.webhooks[type]?.['post'] ?? {};
      const example = requestBody?.content['application/json']?.example as EventRecord;
      assert.equal(example.type, type);
      isSound(EventRecord, example);
      isSound(EVENTS[type].data, example.data);
    }
  });

  test('The OpenAPI document has examples with consistent ids and times', () => {
    const users = [...JSON.stringify(document).matchAll(/"user_id":"(user:\w+)"/g)];
    assert.equal(new Set(users.map((match) => match[1])).size, 1);
  });
});

/** Yields the object fields within a schema that have no description. */
function* fieldsWithout(node: unknown, place: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      for (const [name, field] of Object.entries(value as object)) {
        const isDescribed = 'description' in field || '$ref' in field;
        if (!isDescribed) yield `${place}.${name}`;
        yield* fieldsWithout(field, `${place}.${name}`);
      }
    } else if (key !== 'example') {
      yield* fieldsWithout(value, `${place}/${key}`);
    }
  }
}
