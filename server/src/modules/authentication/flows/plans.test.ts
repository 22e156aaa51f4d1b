// Each step of a flow reads only that flow and its challenges, however many others the tenant has.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LoginFlowId, TenantId } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadAlone } from '@keywright/tests/harness/pages-read';
import pg from 'pg';
import { endFlow } from '../../../../sql/authentication/kw_end_flow.ts';
import { guessCode } from '../../../../sql/authentication/kw_guess_code.ts';
import { guessFlowCodes } from '../../../../sql/authentication/kw_guess_flow_codes.ts';
import { findFlowState } from '../../../../sql/authentication/kw_find_flow_state.ts';
import { redeemChallenge } from '../../../../sql/authentication/kw_redeem_challenge.ts';

const TENANT = 'org_planned' as TenantId;
const FLOWS = 20_000;
const FLOW = 'login_10000' as LoginFlowId;
const TOKEN_HASH = Buffer.alloc(32);
/** In pages of 8 KiB; all challenges of the tenant take some hundreds. */
const FEW_PAGES = 60;
const NOW = new Date();

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createDatabase();
  // Connects as the service: row-level security decides which indexes can be used, and does not apply to the
  // superuser.
  client = new pg.Client(database.url);
  await client.connect();
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ($1, 'Planned', now())`,
    [TENANT],
  );
  await database.query(
    `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, created_at, expires_at)
     SELECT $1, 'login_' || n, 'login', $2, 'user' || n || '@example.com', now(), now() + interval '15 minutes'
       FROM generate_series(1, $3::integer) AS n`,
    [TENANT, TOKEN_HASH, FLOWS],
  );
  await database.query(
    `INSERT INTO challenges (tenant_id, id, flow_id, kind, expires_at)
     SELECT tenant_id, 'chl_' || id, id, 'login', now() + interval '10 minutes' FROM login_flows`,
  );
  await database.query('ANALYZE');
});
after(async () => {
  await client.end();
  await database.drop();
});

const ofFlow = { flow: FLOW, now: NOW };
const refs = { tenants: [TENANT], flows: [FLOW], tokenHashes: [TOKEN_HASH] };
const guesses = { guessesLimit: 5, subjectLimit: 20, windowSeconds: 3600 };
const calls = {
  'reading a flow': [
    findFlowState,
    findFlowState.values([{ tenant: TENANT, flow: FLOW, tokenHash: TOKEN_HASH }]),
  ],
  'a guess in a flow': [
    guessFlowCodes,
    guessFlowCodes.values({
      ...refs,
      ...guesses,
      now: [NOW],
      kinds: ['login'],
      subjectPrefix: 'code ',
    }),
  ],
  'a guess': [
    guessCode,
    guessCode.values(TENANT, { ...ofFlow, ...guesses, kind: 'login', subject: TOKEN_HASH }),
  ],
  'a right code': [
    redeemChallenge,
    redeemChallenge.values(TENANT, {
      ...ofFlow,
      version: 0,
      challenge: `chl_${FLOW}`,
      proof: '{}',
    }),
  ],
  'ending a flow': [endFlow, endFlow.values(TENANT, { ...ofFlow, tokenHash: TOKEN_HASH })],
} as const;

for (const [what, [{ text }, values]] of Object.entries(calls)) {
  test(`${what} reads no other flow, and no other challenge`, async () => {
    // The first call of a connection reads the catalog.
    await pagesReadAlone(client, { text, values });
    const pages = await pagesReadAlone(client, { text, values });
    assert.ok(pages < FEW_PAGES, `${pages} pages are read`);
  });
}
