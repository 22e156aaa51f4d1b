import type { Session } from './session.ts';

/** Every row of a tenant, by table, as JSON. */
export type TenantDump = ReadonlyMap<string, string>;

/** A shorter string, such as a role's name, can occur anywhere by chance. */
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

/** The strings that the rows of the one tenant hold and those of the other don't. */
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

/** How many requests came in is written down a while later, those that were refused included. */
export function withoutFigures(dump: TenantDump): TenantDump {
  return new Map([...dump].filter(([table]) => table !== 'activity'));
}
