import type { TSchema } from 'typebox';
import type { Route } from './route.ts';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly ObjectSchema[];
}

/**
 * Returns the fields that a PATCH route returns but cannot change. A request can contain them with their current
 * values, so that a client can send a record back as GET returned it.
 */
export function readOnlyFields({ method, body, ok }: Route): string[] {
  const { properties: changeable = {}, additionalProperties: others } = { ...body } as ObjectSchema;
  if (method !== 'PATCH' || others !== false) return [];
  const { anyOf, ...alone } = { ...ok.body } as ObjectSchema;
  // A dry run has its own response schema, listed after the record.
  const { properties = {} } = anyOf?.[0] ?? alone;
  return Object.keys(properties).filter((name) => !Object.hasOwn(changeable, name));
}
