import type { DatabaseFunction, Field } from './catalog.ts';
import type { Header } from './header.ts';
import { idTypeOf, idTypeOfArgument } from './ids.ts';

/** TypeScript types of values read from the database. */
const ANSWERED: Readonly<Record<string, string>> = {
  text: 'string',
  integer: 'number',
  bigint: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  'timestamp with time zone': 'Date',
  json: 'JsonValue',
  jsonb: 'JsonValue',
};

/** TypeScript types of arguments; unlike in results, JSON is passed as text. */
const ARGUMENT_TYPES: Readonly<Record<string, string>> = {
  ...ANSWERED,
  bigint: 'number',
  json: 'string',
  jsonb: 'string',
};

/** Returns the type of a result column, without `| null`. */
export function columnType(
  { name, table }: DatabaseFunction,
  column: Field,
  header: Header,
): string {
  const stated = header.types.get(column.name) ?? column.stated;
  if (stated !== undefined) return stated;
  const { element, isArray } = elementOf(name, column, ANSWERED);
  const id = element === 'string' ? idTypeOf(table ?? '', column.name) : undefined;
  return isArray ? `${id ?? element}[]` : (id ?? element);
}

/** Returns the type of an argument. For a nullable array, the elements can be null. */
export function argumentType(fn: DatabaseFunction, parameter: Field, header: Header): string {
  const { element, isArray } = elementOf(fn.name, parameter, ARGUMENT_TYPES);
  const id = element === 'string' ? idTypeOfArgument(parameter.name.slice(2)) : undefined;
  const stated = header.types.get(parameter.name) ?? id ?? element;
  const value = header.nullable.has(parameter.name) ? `${stated} | null` : stated;
  if (!isArray) return value;
  return value.includes(' ') ? `readonly (${value})[]` : `readonly ${value}[]`;
}

function elementOf(
  name: string,
  { name: field, type }: Field,
  types: Readonly<Record<string, string>>,
) {
  const isArray = type.endsWith('[]');
  const element = types[isArray ? type.slice(0, -2) : type];
  if (element === undefined) {
    throw new Error(
      `${name}.${field} is of the type ${type}, which server/generate/types.ts does not know.`,
    );
  }
  return { element, isArray };
}

/** The modules of types other than IDs, as imported from server/sql/<area>. */
const MODULES: Readonly<Record<string, string>> = {
  Acr: '@keywright/contract/authentication',
  ActorKind: '@keywright/contract/audit',
  AgentRecord: '@keywright/contract/records/agent',
  AuditAction: '@keywright/contract/audit',
  AuditEntry: '@keywright/contract/records/audit-entry',
  AuthorizationDetail: '@keywright/contract/records/authorization-details',
  Counter: '@keywright/contract/activity',
  DeliveryAttempt: '@keywright/contract/records/webhook',
  IdentifierRecord: '@keywright/contract/records/user',
  IdentityProviderRecord: '@keywright/contract/records/identity-provider',
  JsonValue: '../../src/platform/db/schema.ts',
  MessageKind: '@keywright/contract/messages',
  OAuthClientRecord: '@keywright/contract/records/oauth-client',
  OAuthResourceRecord: '@keywright/contract/records/oauth-resource',
  PublicProvider: '@keywright/contract/records/identity-provider',
  SessionEndReason: '@keywright/contract/records/session',
  SessionRecord: '@keywright/contract/records/session',
  Signal: '@keywright/contract/signals',
  StreamSignal: '@keywright/contract/signals',
  TargetKind: '@keywright/contract/audit',
  ClientBranding: '@keywright/contract/records/branding',
  TenantBranding: '@keywright/contract/records/tenant',
  TenantConfig: '@keywright/contract/records/tenant',
  TenantMessaging: '@keywright/contract/records/tenant',
  UserRecord: '@keywright/contract/records/user',
};

/** Returns the imports of the types named in a text, by module. */
export function importsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const names = text.match(/\b[A-Z]\w+\b/g) ?? [];
  const importable = names.filter((name) => name.endsWith('Id') || name in MODULES);
  return Map.groupBy(
    new Set(importable.toSorted()),
    (name) => MODULES[name] ?? '@keywright/contract/ids',
  );
}
