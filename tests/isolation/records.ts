import type { Route } from '@keywright/contract/route';
import type { AnyBody } from '../harness/http.ts';

/** As much of a JSON schema as is looked at here. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** What a record has: an id, or a time it was made at, or, in a membership, a user. */
const MARKS = ['id', 'created_at', 'user_id'];
/** What the notice that something is gone has. */
const NOTICES = ['deleted', 'revoked'];

/** The envelope of an event is of a form that is given; the tenant is named in its data. */
function isEnvelope(fields: object): boolean {
  return 'type' in fields && 'data' in fields;
}

/** Whom, or what, an entry of the audit log names: a part of the entry, which has the tenant. */
function isParty(fields: object): boolean {
  return 'kind' in fields;
}

/** What browsers create or use a passkey with: its ids are those of WebAuthn. */
function isPasskeyOptions(fields: object): boolean {
  return 'challenge' in fields;
}

/** Whether these are fields of a record. */
function isRecord(fields: object): boolean {
  const isOther = NOTICES.some((name) => name in fields) || isEnvelope(fields) || isParty(fields);
  return MARKS.some((name) => name in fields) && !isOther;
}

/** The schemas of records in a schema. */
export function recordSchemasOf(schema: Schema): Schema[] {
  const { properties = {}, items, anyOf = [] } = schema;
  if (isPasskeyOptions(properties)) return [];
  const own = isRecord(properties) ? [schema] : [];
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...own, ...parts.flatMap(recordSchemasOf)];
}

/** The records in an answer. */
export function findRecords(value: unknown): AnyBody[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as AnyBody;
  if (isPasskeyOptions(fields)) return [];
  const isOne = isRecord(fields) && MARKS.some((name) => typeof fields[name] === 'string');
  const own = isOne ? [fields] : [];
  return [...own, ...partsOf(fields).flatMap(findRecords)];
}

/** The details of an entry of the audit log are part of the entry, which has the tenant. */
function partsOf({ details, ...others }: AnyBody): unknown[] {
  const isEntry = 'action' in others && 'outcome' in others;
  return [...Object.values(others), ...(isEntry ? [] : [details])];
}

/** The schema of an item, where the route answers with a list. */
export function itemSchemaOf(route: Route): Schema | undefined {
  const { properties = {} } = (route.ok.body ?? {}) as Schema;
  return properties['items']?.items;
}
