import { createRequire } from 'node:module';
import type { FastifyServerOptions } from 'fastify';
import { lazy } from '../lazy.ts';

type Serialize = (data: unknown) => string;

/**
 * Creates the serializer of a route with its first response: creating all of them took half of the startup time, and
 * most routes are rarely used. Fastify's validator is not loaded either, because each route has its own.
 */
export const compileLate: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer:
      () =>
      ({ schema }) => {
        const serialize = lazy(() => serializerOf(schema as object));
        return (data) => serialize()(data);
      },
    buildValidator: () => () => {
      throw new Error('A route with a schema brings its validator.');
    },
  },
};

/**
 * Serializers by schema. Schemas belong to the contract and never change, so routes share them, as do services in one
 * process, such as in tests.
 */
const serializers = new WeakMap<object, Serialize>();

function serializerOf(schema: object): Serialize {
  const serialize = serializers.get(schema) ?? library()(withoutIds(schema));
  serializers.set(schema, serialize);
  return serialize;
}

/** Fastify's serializer library, resolved from Fastify's location, and loaded with its first use. */
const library = lazy(() => {
  const fastify = createRequire(import.meta.url).resolve('fastify');
  return createRequire(fastify)('fast-json-stringify') as (schema: unknown) => Serialize;
});

/** The serializer compiles each schema separately; a repeated ID would conflict. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => name !== '$id');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutIds(value)]));
}
