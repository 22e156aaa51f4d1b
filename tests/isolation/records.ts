import type { Route } from '@keywright/contract/route';
import type { AnyBody } from '../harness/http.ts';

/** As much of a JSON schema as is looked at here. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Whether these are the fields of a record: it has an id, and is not the notice that one is gone. */
function isRecord(fields: object): boolean {
  return 'id' in fields && !('deleted' in fields);
}

/** The schemas of records in a schema. */
export function recordSchemasOf(schema: Schema): Schema[] {
  const { properties = {}, items } = schema;
  const own = isRecord(properties) ? [schema] : [];
  const parts = [...Object.values(properties), ...(items ? [items] : [])];
  return [...own, ...parts.flatMap(recordSchemasOf)];
}

/** The records in an answer. */
export function findRecords(value: unknown): AnyBody[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as AnyBody;
  const own = typeof fields['id'] === 'string' && isRecord(fields) ? [fields] : [];
  return [...own, ...Object.values(fields).flatMap(findRecords)];
}

/** The schema of an item, where the route answers with a list. */
export function itemSchemaOf(route: Route): Schema | undefined {
  const { properties = {} } = route.ok.body as Schema;
  return properties['items']?.items;
}
