import { createRequire } from 'node:module';
import type { FastifyServerOptions } from 'fastify';
import { lazy } from '../lazy.ts';

type Serialize = (data: unknown) => string;

/**
 * Makes the serializer of a route when it answers for the first time: made for all routes at the start they were
 * half of it, and most routes are asked seldom. The validator that Fastify would load stays away as well: each route
 * brings its own.
 */
export const compileLate: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer:
      () =>
      ({ schema }) => {
        const serialize = lazy(() => library()(withoutIds(schema)));
        return (data) => serialize()(data);
      },
    buildValidator: () => () => {
      throw new Error('A route with a schema brings its validator.');
    },
  },
};

/** What Fastify makes serializers with, found from where Fastify is, and loaded with the first of them. */
const library = lazy(() => {
  const fastify = createRequire(import.meta.url).resolve('fastify');
  return createRequire(fastify)('fast-json-stringify') as (schema: unknown) => Serialize;
});

/** The serializer takes each schema by itself; a name that occurs twice would confuse it. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => name !== '$id');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutIds(value)]));
}
