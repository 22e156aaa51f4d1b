import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { DPOP_WINDOW_SECONDS } from '@keywright/contract/dpop';
import { API_KEY_DAYS, OVERLAP_DAYS } from '@keywright/contract/records/api-key';
import { ASSERTION_SECONDS } from '@keywright/contract/records/identity-assertions';
import { DEFAULT_DELEGATION_DAYS } from '@keywright/contract/routes/delegations';
import { LONGEST_IMPERSONATION_SECONDS } from '@keywright/contract/routes/impersonations';
import { DEFAULT_INVITATION_DAYS } from '@keywright/contract/routes/invitations';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import {
  CHALLENGE_LIFE_MS,
  LIFE_MS as FLOW_MS,
} from '../../../server/src/modules/authentication/flows/flow-rules.ts';
import { LIFE_SECONDS as DEVICE_TOKEN_SECONDS } from '../../../server/src/modules/authentication/flows/known-devices.ts';
import { LOGIN_MS } from '../../../server/src/modules/authentication/passkeys/passkey-options.ts';
import { HANDOFF_MS } from '../../../server/src/modules/authentication/upstream-logins/authorization-requests.ts';
import { LIFE_MS as UNDO_MS } from '../../../server/src/modules/identity/identifiers/undo-service.ts';
import { LIFETIME_SECONDS as CODE_SECONDS } from '../../../server/src/modules/oauth/grants/authorization-codes.ts';
import {
  INTERVAL_SECONDS,
  LIFETIME_SECONDS as DEVICE_SECONDS,
} from '../../../server/src/modules/oauth/grants/device-grant-service.ts';
import { LIFETIME_SECONDS as PUSHED_SECONDS } from '../../../server/src/modules/oauth/grants/pushed-requests.ts';
import { LIFETIME_SECONDS as ID_TOKEN_SECONDS } from '../../../server/src/modules/oauth/id-tokens/id-tokens.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../server/src/modules/oauth/logout/backchannel-logout.ts';
import { LONGEST_DELEGATED_SECONDS } from '../../../server/src/modules/oauth/token-endpoint/agent-exchange.ts';
import { LONGEST_SECONDS } from '../../../server/src/modules/tokens/proofs/assertions.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../../server/src/modules/tokens/signing-keys/key-ring.ts';
import {
  LIST_LIFE_SECONDS,
  LIST_TTL_SECONDS,
} from '../../../server/src/modules/tokens/status-lists/status-format.ts';
import { LIFETIME_MS as IDEMPOTENCY_MS } from '../../../server/src/tenancy/idempotency.ts';
import { byDefault, field, inMs, inSeconds, type Limit } from './row.ts';

function setting(what: string, name: keyof TenantConfig): Limit {
  return { what, value: inSeconds(byDefault(name)), setting: name };
}

function days(id: string, usual: number): string {
  const { minimum, maximum } = field(id, 'expires_in_days');
  if (minimum === undefined || maximum === undefined) throw new Error(`${id} has no bounds.`);
  return `${minimum} to ${maximum} days; default ${usual}`;
}

export const LIFETIMES: readonly Limit[] = [
  setting('Access token', 'session_timeout'),
  {
    what: 'Access token of a delegated agent',
    value: `up to ${inSeconds(LONGEST_DELEGATED_SECONDS)}`,
  },
  { what: 'Access token of an impersonation', value: inSeconds(LONGEST_IMPERSONATION_SECONDS) },
  setting('Refresh token', 'refresh_token_ttl'),
  setting('Session, regardless of refreshes', 'refresh_token_absolute_ttl'),
  setting('Repeated use of a refresh token', 'refresh_retry_window'),
  setting('Login in a browser without use', 'browser_session_idle_ttl'),
  setting('Login in a browser', 'browser_session_ttl'),
  setting('Login in the console without use', 'console_idle_ttl'),
  setting('Login in the console', 'console_session_ttl'),
  setting('A login counts as recent', 'step_up_max_age'),
  { what: 'ID token', value: inSeconds(ID_TOKEN_SECONDS) },
  { what: 'Logout token', value: inSeconds(TOKEN_LIFETIME_SECONDS) },
  { what: 'Identity assertion', value: inSeconds(ASSERTION_SECONDS) },
  { what: 'Authorization code', value: inSeconds(CODE_SECONDS) },
  { what: 'Pushed authorization request, until it is used', value: inSeconds(PUSHED_SECONDS) },
  {
    what: 'Device code',
    value: `${inSeconds(DEVICE_SECONDS)}; polled every ${inSeconds(INTERVAL_SECONDS)}`,
  },
  { what: 'Login flow', value: inMs(FLOW_MS), error: 'FLOW_ENDED' },
  { what: 'Code and link of a message', value: inMs(CHALLENGE_LIFE_MS) },
  { what: 'Passkey challenge', value: inMs(LOGIN_MS), error: 'PASSKEY_REFUSED' },
  { what: 'Handoff of a login at an identity provider', value: inMs(HANDOFF_MS) },
  { what: 'Device token of a login', value: inSeconds(DEVICE_TOKEN_SECONDS) },
  { what: 'Link to undo a change', value: inMs(UNDO_MS) },
  {
    what: 'API key',
    value: `${API_KEY_DAYS.min} to ${API_KEY_DAYS.max} days; default ${API_KEY_DAYS.usual}`,
  },
  {
    what: 'Rotated API key',
    value: `${OVERLAP_DAYS.min} to ${OVERLAP_DAYS.max} days; default ${OVERLAP_DAYS.usual}`,
  },
  { what: 'Invitation', value: days('invitations.create', DEFAULT_INVITATION_DAYS) },
  { what: 'Delegation', value: days('delegations.create', DEFAULT_DELEGATION_DAYS) },
  { what: 'DPoP proof', value: inSeconds(DPOP_WINDOW_SECONDS), error: 'DPOP_INVALID' },
  {
    what: 'Assertion of a client (`exp` minus the current time)',
    value: inSeconds(LONGEST_SECONDS),
    error: 'CLIENT_INVALID',
  },
  { what: 'Tolerated difference of clocks', value: inSeconds(CLOCK_SKEW_SECONDS) },
  {
    what: 'Status list',
    value: `${inSeconds(LIST_LIFE_SECONDS)}; polled every ${inSeconds(LIST_TTL_SECONDS)}`,
  },
  { what: 'Cached key set', value: inSeconds(KEY_SET_MAX_AGE_SECONDS) },
  { what: 'Stored response of an `Idempotency-Key`', value: inMs(IDEMPOTENCY_MS) },
];
