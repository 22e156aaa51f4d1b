import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '@keywright/contract/errors';
import {
  type AuthorizationDetail,
  type DetailsField,
  type DetailsType,
  MAX_DETAILS_BYTES,
} from '@keywright/contract/records/authorization-details';
import type { TenantResources, Resource } from './resource-rules.ts';

/** Limited because the code, the refresh token and access tokens each contain all authorization details. */
export const MOST_DETAILS = 8;
const MOST_VALUES = 16;
const LONGEST_VALUE = 200;
/**
 * Users read what tokens contain, so text must not contain invisible characters, or characters that break the line or
 * change its direction (UAX #9 §2). Joiners and emoji variation selectors are part of the text.
 */
const UNREADABLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** A type, with the resource that defines it for its access tokens. */
interface RegisteredType {
  readonly type: DetailsType;
  readonly resource: Resource;
}

/** Why the details are rejected, for developers, without their content. */
interface Flawed {
  readonly flaw: string;
}

/** The authorization details that a client requests. */
export interface ReadDetails {
  readonly details: readonly AuthorizationDetail[];
  /** The resources whose access tokens contain the details. */
  readonly resources: readonly Resource[];
}

/** Returns the type with this name. If two resources have it, the older resource wins. */
export function typeNamed({ all }: TenantResources, name: unknown): RegisteredType | undefined {
  for (const resource of all) {
    const type = resource.detailsTypes.find((candidate) => candidate.type === name);
    if (type) return { type, resource };
  }
  return undefined;
}

/**
 * Reads `authorization_details` (RFC 9396 §2, §5). Each element must be of a type that the client can request,
 * with exactly the fields of that type.
 */
export function readDetails(
  text: string,
  allowed: readonly string[],
  resources: TenantResources,
): ReadDetails | Flawed {
  const listed = listIn(text);
  if ('flaw' in listed) return listed;
  const details: AuthorizationDetail[] = [];
  const places = new Set<Resource>();
  for (const entry of listed.list) {
    const registered =
      allowed.includes(String(entry['type'])) && typeNamed(resources, entry['type']);
    if (!registered) return { flaw: 'it has a type that the client is not allowed to request' };
    const { type, ...fields } = entry;
    const read = readFields(fields, registered.type.fields);
    if ('flaw' in read) return read;
    details.push({ type: String(type), ...read.fields });
    places.add(registered.resource);
  }
  // Checked again, because some numbers become longer when they are serialized.
  if (isLong(JSON.stringify(details))) return TOO_LONG;
  return { details, resources: [...places] };
}

/**
 * Whether the details still match their types: a page shows only such details, and a code contains only what a page
 * showed.
 */
export function areStillRegistered(
  details: readonly AuthorizationDetail[],
  allowed: readonly string[],
  resources: TenantResources,
): boolean {
  const read = readDetails(JSON.stringify(details), allowed, resources);
  return 'details' in read && isDeepStrictEqual(read.details, details);
}

type Entries = Readonly<Record<string, unknown>>;

/** Returns the elements of the list, each an object, before any other check. */
export function listIn(text: string): { readonly list: readonly Entries[] } | Flawed {
  if (isLong(text)) return TOO_LONG;
  const list = parsed(text);
  const isList = Array.isArray(list) && list.length > 0 && list.length <= MOST_DETAILS;
  if (!isList || !list.every(isObject)) {
    return { flaw: `it is not a JSON list of 1 to ${MOST_DETAILS} objects` };
  }
  return { list };
}

const TOO_LONG: Flawed = { flaw: `it has more than ${MAX_DETAILS_BYTES} bytes` };

function isLong(text: string): boolean {
  return Buffer.byteLength(text) > MAX_DETAILS_BYTES;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields in the order of the type, so that equal details have equal JSON. */
function readFields(
  entries: Entries,
  registered: DetailsType['fields'],
): { readonly fields: Entries } | Flawed {
  const names = registered.map(({ name }) => name);
  if (Object.keys(entries).some((name) => !names.includes(name))) {
    return { flaw: 'it has a field that its type does not have' };
  }
  const fields: Record<string, unknown> = {};
  for (const field of registered) {
    if (!Object.hasOwn(entries, field.name)) {
      if (field.required) return { flaw: `it lacks ${field.name}` };
      continue;
    }
    const read = readValue(entries[field.name], field);
    if (read === undefined) return { flaw: `its ${field.name} does not match its type` };
    fields[field.name] = read;
  }
  return { fields };
}

function readValue(value: unknown, { kind, values, fields = [] }: DetailsField): unknown {
  const isAccepted = (item: unknown): item is string =>
    typeof item === 'string' &&
    item.length <= LONGEST_VALUE &&
    !UNREADABLE.test(item) &&
    (values?.includes(item) ?? true);
  if (kind === 'string') return isAccepted(value) ? value : undefined;
  if (kind === 'strings') {
    const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_VALUES;
    return isList && value.every(isAccepted) ? value : undefined;
  }
  if (kind === 'object') {
    const read = isObject(value) ? readFields(value, fields) : undefined;
    return read && 'fields' in read ? read.fields : undefined;
  }
  const isRight = kind === 'number' ? Number.isFinite(value) : typeof value === 'boolean';
  return isRight ? value : undefined;
}

/** Returns the flaws of a resource's types. @param others types of other resources */
export function flawsOfTypes(
  types: readonly DetailsType[],
  others: readonly string[],
): FieldError[] {
  const names = types.map(({ type }) => type);
  return types.flatMap(({ type, fields }, index): FieldError[] => {
    const path = `/authorization_details_types/${index}`;
    const isTaken = others.includes(type) || names.indexOf(type) < index;
    return [
      ...(isTaken ? [{ path: `${path}/type`, message: 'is already used by another type' }] : []),
      ...flawsOfFields(fields, `${path}/fields`),
    ];
  });
}

function flawsOfFields(fields: DetailsType['fields'], path: string): FieldError[] {
  const names = fields.map(({ name }) => name);
  return fields.flatMap(({ name, kind, values, fields: inner }, index): FieldError[] => {
    const at = `${path}/${index}`;
    const isText = kind === 'string' || kind === 'strings';
    return [
      ...(names.indexOf(name) < index
        ? [{ path: `${at}/name`, message: 'has the same name as another one' }]
        : []),
      // RFC 9396 §2: `type` is reserved for the type of the details.
      ...(name === 'type' ? [{ path: `${at}/name`, message: 'must not be type' }] : []),
      ...(values && !isText
        ? [{ path: `${at}/values`, message: 'is only allowed for strings' }]
        : []),
      ...((kind === 'object') !== (inner !== undefined)
        ? [
            {
              path: `${at}/fields`,
              message: 'is required for the kind object, and not allowed for other kinds',
            },
          ]
        : []),
      ...(inner ? flawsOfFields(inner, `${at}/fields`) : []),
    ];
  });
}
