import type { Session } from './session.ts';

/** Every row of a tenant, by table, as JSON. */
export type TenantDump = ReadonlyMap<string, string>;

/** The minimum length of a distinct string: a shorter one, such as a role's name, can occur anywhere by chance. */
const SHORTEST = 6;

/** Reads all rows of a tenant. */
export async function dumpTenant(database: Session, tenantId: string): Promise<TenantDump> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await database.query<{ rows: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]')::text AS rows
         FROM ${name} t WHERE tenant_id = $1`,
      [tenantId],
    );
    dump.set(name, row?.rows ?? '[]');
  }
  return dump;
}

/** Returns the strings that occur in one tenant's rows but not in the other's. */
export function distinctStrings(dump: TenantDump, other: TenantDump): string[] {
  const common = stringsOf(other);
  return [...stringsOf(dump)].filter((text) => text.length >= SHORTEST && !common.has(text));
}

function stringsOf(dump: TenantDump): Set<string> {
  const found = new Set<string>();
  for (const rows of dump.values()) {
    JSON.parse(rows, (_name, value: unknown) => {
      if (typeof value === 'string') found.add(value);
      return value;
    });
  }
  return found;
}

/** Removes the request counts, which are written with a delay and include rejected requests. */
export function withoutFigures(dump: TenantDump): TenantDump {
  return new Map([...dump].filter(([table]) => table !== 'activity'));
}
