import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../harness/command-line.ts';
import { bcryptOf } from '../harness/foreign-passwords.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { Fleet } from './fleet.ts';
import type { Run, Scenario } from './scenario.ts';

interface Outcome {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
  readonly seconds: number;
}

/** A large import, and the same again. */
export const importing: Scenario = {
  name: 'import',
  about: 'users are imported from the command line, twice; a round is a user',
  rounds: 100_000,
  async run({ rounds, say }: Run) {
    const fleet = await Fleet.start({ nodes: 1 });
    try {
      const file = await writeExport(rounds);
      const first = await importFrom(fleet, file, say);
      assert.deepEqual([first.created, first.failed], [rounds, 0]);
      const again = await importFrom(fleet, file, say);
      assert.deepEqual([again.existing, again.created, again.failed], [rounds, 0, 0]);
      const [row] = await fleet.database.query<{ users: number }>(
        `SELECT count(*)::integer AS users FROM user_credentials WHERE scheme = '$2b$10$'`,
      );
      assert.equal(row?.users, rounds);
      return { users: rounds, seconds: first.seconds, 'seconds, again': again.seconds };
    } finally {
      await fleet.close();
    }
  },
};

async function writeExport(users: number): Promise<string> {
  // All users can have the same hash, since the service does not compare hashes.
  const { hash } = await bcryptOf('engines of analysis', 10);
  const records = Array.from({ length: users }, (_, n) =>
    JSON.stringify({
      _id: { $oid: n.toString(16).padStart(24, '0') },
      email_verified: true,
      email: `user-${n}@example.com`,
      passwordHash: hash,
      connection: 'Username-Password-Authentication',
    }),
  );
  const file = join(await temporaryDirectory('export'), 'password-hashes.ndjson');
  await writeFile(file, `${records.join('\n')}\n`);
  return file;
}

async function importFrom(
  fleet: Fleet,
  file: string,
  say: (line: string) => void,
): Promise<Outcome> {
  const { url } = await fleet.node(0);
  const env = { KEYWRIGHT_URL: url, KEYWRIGHT_TOKEN: fleet.adminToken };
  const args = ['user', 'import', file, '--from', 'auth0', '--json'];
  const { answer, stderr } = await runCommand<Outcome>([...args, '--tenant', 'org_default'], {
    env,
  });
  assert.ok(answer.ok, stderr + answer.message);
  say(JSON.stringify(answer.result));
  return answer.result;
}
