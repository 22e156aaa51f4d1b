import assert from 'node:assert/strict';
import type { Route } from '@keywright/contract/route';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from '../harness/http.ts';

type Json = Record<string, unknown>;

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  /** By its type. */
  readonly content: Readonly<Record<string, Media>>;
}

interface Operation extends Json {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

const CODE = /`([A-Z_]+)`/g;
/** ISO 8601, in UTC. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A parsed OpenAPI document. */
export class ApiDocument {
  readonly #paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true }).addFormat('date-time', TIMESTAMP);

  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(resolved: Json) {
    this.#paths = resolved['paths'] as never;
  }

  /** @throws unless it is a valid document of OpenAPI 3.1 */
  static async read(document: Json): Promise<ApiDocument> {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(document);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
    return new ApiDocument(validator.resolveRefs());
  }

  /** As `GET /path`. */
  get operations(): string[] {
    return Object.entries(this.#paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  operation(route: Route): Operation {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const found = this.#paths[path]?.[route.method.toLowerCase()];
    assert.ok(found, `${route.id} is documented`);
    return found;
  }

  /** The documented codes of the route, each with its status: `401 TOKEN_INVALID`. */
  codes(route: Route): string[] {
    return Object.entries(this.operation(route).responses).flatMap(([status, { description }]) =>
      [...description.matchAll(CODE)].map(([, code]) => `${status} ${code}`),
    );
  }

  /** The properties of every object of the document. */
  objectSchemas(): Json[] {
    return propertiesWithin(this.#paths);
  }

  /** Compiled once: nearly all errors have the same schema. */
  #compiled(schema: Json): ValidateFunction {
    const text = JSON.stringify(schema);
    const validate = this.#validators.get(text) ?? this.#ajv.compile(closed(schema));
    this.#validators.set(text, validate);
    return validate;
  }

  /** The violations of this route's examples against their schemas. */
  flawsOfExamples(route: Route): unknown[] {
    const { requestBody, responses } = this.operation(route);
    const bodies = [requestBody, ...Object.values(responses)];
    return bodies.flatMap((body) =>
      Object.values(body?.content ?? {}).flatMap(({ schema, example }) => {
        const isSound = this.#compiled(schema);
        return isSound(example) ? [] : [route.id, example, isSound.errors];
      }),
    );
  }

  /**
   * Asserts that the body matches its schema without undocumented fields, and that the documented headers are present.
   */
  assertDescribes(route: Route, answer: Answer<unknown>): void {
    const response = this.operation(route).responses[answer.status];
    assert.ok(response, `${route.id} documents ${answer.status}`);
    for (const [name, { required }] of Object.entries(response.headers ?? {})) {
      const isThere = answer.headers[name.toLowerCase()] !== undefined;
      assert.ok(isThere || !required, `${route.id} sends ${name} with ${answer.status}`);
    }
    if (response.content === undefined) return assert.equal(answer.text, '');
    const [type = ''] = String(answer.headers['content-type']).split(';', 1);
    // A range (RFC 9110 §12.5.1) describes any type in it.
    const range = type.replace(/\/.*/, '/*');
    const content = response.content[type] ?? response.content[range];
    assert.ok(content, `${route.id} documents ${type}`);
    const isDescribed = this.#compiled(content.schema);
    const body = type === 'application/json' ? answer.body : answer.text;
    const problems = isDescribed(body) ? [] : isDescribed.errors;
    assert.deepEqual(problems, [], `${route.id}: ${answer.text.slice(0, 500)}`);
  }
}

/** The schema, with every object limited to its named properties, unless it is declared open. */
function closed(schema: Json): Json {
  const inner = Object.entries(schema).map(([name, value]) => [name, closedValue(value)]);
  const isObject = typeof schema['properties'] === 'object' && schema['type'] === 'object';
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(inner) };
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue);
  return typeof value === 'object' && value !== null ? closed(value as Json) : value;
}

function propertiesWithin(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(propertiesWithin);
  const { type, properties } = value as Json;
  return type === 'object' && typeof properties === 'object'
    ? [properties as Json, ...within]
    : within;
}
