// Third-party libraries verify our tokens, each in the program shown in docs/guide/libraries.md.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Keywright } from '../harness/keywright.ts';
import { type Library, UNABLE, VERIFYING } from './list.ts';
import { startWithTokens, type TokenCases } from './token-cases.ts';
import { BUILDS } from './toolchains.ts';
import { run, unlessMissing } from './tools.ts';

let keywright: Keywright;
let cases: TokenCases;

/** The verdict of the library's program on each token, by title. */
async function verdictsOf({ language, folder }: Library): Promise<Map<string, string>> {
  const { issuer, audience, accepted, refused } = cases;
  const [program, ...args] = await BUILDS[language](folder);
  const tokens = new Map([
    ...[...accepted].map(([title, { token }]) => [title, token] as const),
    ...refused,
  ]);
  const input = [...tokens.values(), ''].join('\n');
  const lines = (await run(program, [...args, issuer, audience], { cwd: '.' }, input)).split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, tokens.size, 'one line for each token');
  return new Map([...tokens.keys()].map((title, index) => [title, lines[index] ?? '']));
}

function assertRefused(verdicts: ReadonlyMap<string, string>): void {
  const wrong = [...cases.refused.keys()].filter(
    (title) => !/^refused: ./.test(verdicts.get(title) ?? ''),
  );
  assert.deepEqual(wrong, [], 'tokens that should have been refused');
}

describe('a library, with the key set of a tenant alone,', { concurrency: 2 }, () => {
  before(async () => {
    ({ keywright, cases } = await startWithTokens());
  });

  after(() => keywright.close());

  for (const library of VERIFYING) {
    test(`${library.name} (${library.language}) accepts the tenant's access tokens, and rejects each that deviates in one respect`, async (context) => {
      await unlessMissing(context, async () => {
        const verdicts = await verdictsOf(library);
        for (const [title, { sub }] of cases.accepted) {
          assert.equal(verdicts.get(title), `accepted: ${sub}`, title);
        }
        assertRefused(verdicts);
      });
    });
  }

  for (const library of UNABLE) {
    test(`${library.name} (${library.language}) lacks the algorithm, and accepts nothing`, async (context) => {
      await unlessMissing(context, async () => {
        const verdicts = await verdictsOf(library);
        for (const title of cases.accepted.keys()) {
          assert.match(verdicts.get(title) ?? '', /^refused: .*(EdDSA|ed25519|algorithm)/i, title);
        }
        assertRefused(verdicts);
      });
    });
  }
});
