// Made from kw_guess_totp.sql by `npm run generate`.

import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type GuessTotpRow = {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: FactorId;
  readonly totp_secret: Buffer;
  readonly failures: number;
} | {
  readonly retry_after: number | null;
  readonly is_spent: boolean;
  readonly factor_id: null;
  readonly totp_secret: Buffer | null;
  readonly failures: number | null;
};

export const guessTotp: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly user: UserId;
  readonly subject: Buffer;
  readonly challenge: Buffer;
  readonly now: Date;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly challengeLimit: number;
  readonly maxFailures: number;
}, GuessTotpRow> = {
  name: 'kw_guess_totp',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::timestamp with time zone[], $6::integer[], $7::integer[], $8::integer[], $9::integer[]) WITH ORDINALITY AS item (p_tenant, p_user, p_subject, p_challenge, p_now, p_limit, p_window_seconds, p_challenge_limit, p_max_failures, n) ORDER BY p_tenant COLLATE "C", p_user COLLATE "C", n) AS item CROSS JOIN LATERAL kw_guess_totp(item.p_tenant, item.p_user, item.p_subject, item.p_challenge, item.p_now, item.p_limit, item.p_window_seconds, item.p_challenge_limit, item.p_max_failures) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.user),
    items.map((item) => item.subject),
    items.map((item) => item.challenge),
    items.map((item) => item.now),
    items.map((item) => item.limit),
    items.map((item) => item.windowSeconds),
    items.map((item) => item.challengeLimit),
    items.map((item) => item.maxFailures),
  ],
};
