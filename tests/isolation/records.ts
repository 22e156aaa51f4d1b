import type { Route } from '@keywright/contract/route';
import type { JsonBody } from '../harness/http.ts';

/** The part of a JSON schema that these functions read. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Fields that identify a record: an id, its creation time or, in a membership, a user. */
const MARKS = ['id', 'created_at', 'user_id'];
/** Fields that identify the response to a deletion or revocation. */
const NOTICES = ['deleted', 'revoked'];

/** Whether this is an event's envelope, which has a prescribed format. The event's data names the tenant. */
function isEnvelope(fields: object): boolean {
  return 'type' in fields && 'data' in fields;
}

/** Whether this is the actor or target of an audit entry: a part of the entry, which names the tenant. */
function isParty(fields: object): boolean {
  return 'kind' in fields;
}

/** Whether these are WebAuthn options for creating or using a passkey, which contain ids of WebAuthn. */
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
  const matching = isRecord(properties) ? [schema] : [];
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return [...matching, ...parts.flatMap(recordSchemasOf)];
}

/** The records in an answer. */
export function findRecords(value: unknown): JsonBody[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as JsonBody;
  if (isPasskeyOptions(fields)) return [];
  const isMarked = isRecord(fields) && MARKS.some((name) => typeof fields[name] === 'string');
  const matching = isMarked ? [fields] : [];
  return [...matching, ...partsOf(fields).flatMap(findRecords)];
}

/** Omits the details of an audit entry, which are part of the entry and inherit its tenant. */
function partsOf({ details, ...others }: JsonBody): unknown[] {
  const isEntry = 'action' in others && 'outcome' in others;
  return [...Object.values(others), ...(isEntry ? [] : [details])];
}

/** Returns the schema of an item if the route returns a list. */
export function itemSchemaOf(route: Route): Schema | undefined {
  const { properties = {} } = (route.ok.body ?? {}) as Schema;
  return properties['items']?.items;
}
