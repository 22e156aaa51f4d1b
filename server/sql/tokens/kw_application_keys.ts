// Made from kw_application_keys.sql by `npm run generate`.

import type { SigningKeyId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ApplicationKeysRow {
  readonly id: SigningKeyId;
  readonly algorithm: 'RS256' | 'ES256';
  readonly public_key: string;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
}

export const applicationKeys: Statement & TenantCall<Record<string, never>, ApplicationKeysRow> = {
  name: 'kw_application_keys',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_application_keys($1)',
  values: (tenant) => [tenant],
};
