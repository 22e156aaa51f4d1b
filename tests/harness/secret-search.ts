import type { TestDatabase } from './database.ts';

/** Secrets used in a run, by description. */
export type Secrets = ReadonlyMap<string, readonly string[]>;

/** Every row of every table, as text: binary values in hexadecimal. */
export async function dumpAll(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await database.query<{ rows: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS rows FROM "${name}" t`,
    );
    dump.set(name, row?.rows ?? '[]');
  }
  return dump;
}

/** The texts that contain secrets, verbatim or encoded. */
export function findSecrets(secrets: Secrets, texts: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([what, values]) =>
    values.flatMap((value) => {
      const forms = formsOf(value);
      return [...texts]
        .filter(([, text]) => forms.some((form) => form.test(text)))
        .map(([where]) => `${what} in ${where}`);
    }),
  );
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function formsOf(value: string): RegExp[] {
  const bytes = Buffer.from(value);
  const encoded = [bytes.toString('hex'), unpadded(bytes), bytes.toString('base64url')];
  // The key of an authenticator is shown in base32, and could be stored as bytes.
  const decoded = /^[A-Z2-7]{32}$/.test(value) ? [ofBase32(value).toString('hex')] : [];
  // Digits occur by chance within longer numbers.
  const edge = '[0-9A-Za-z_]';
  return [
    new RegExp(`(?<!${edge})${escaped(value)}(?!${edge})`),
    ...[...encoded, ...decoded]
      .filter((form) => form.length > 10)
      .map((form) => new RegExp(escaped(form))),
  ];
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function ofBase32(text: string): Buffer {
  const bits = Array.from(text, (character) =>
    BASE32.indexOf(character).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
