import { type SessionId, parseSessionId } from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';
import type { VerifyOwnJwt } from '../../tokens/signing-keys/index.ts';
import type { SubjectFor } from '../claims/index.ts';
import type { KnownClient } from '../clients/index.ts';
import type { HintOf } from './rules.ts';
import { findLoginOf } from './store.ts';

/** What an ID token says of its login. */
export interface ReadHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sessionId: SessionId | undefined;
  readonly authTime: unknown;
}

/** An ID token that this tenant issued to the client that the request names, however long ago. */
export async function readHint(
  verifyOwnJwt: VerifyOwnJwt,
  tenant: Tenant,
  { hint, clientId }: { readonly hint: string; readonly clientId: string | undefined },
): Promise<ReadHint | undefined> {
  const expected = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
  const claims = await verifyOwnJwt(tenant, hint, expected);
  const { aud, sub, sid, auth_time: authTime } = claims ?? {};
  if (typeof aud !== 'string' || typeof sub !== 'string') return undefined;
  // OpenID Connect RP-Initiated Logout §2: both must name the same client.
  if (clientId !== undefined && clientId !== aud) return undefined;
  const sessionId = typeof sid === 'string' ? parseSessionId(sid) : undefined;
  return { clientId: aud, subject: sub, sessionId, authTime };
}

interface HintDependencies {
  readonly gate: Gate;
  readonly subjectFor: SubjectFor;
}

/** Whether an ID token was issued in this login. */
export async function hintOf(
  { gate, subjectFor }: HintDependencies,
  tenant: Tenant,
  { client, login, hint }: HintedLogin,
): Promise<HintOf> {
  if (!login) return 'another login';
  const subject = await subjectFor(tenant.id, client, login.userId);
  if (subject !== hint.subject) return 'another login';
  // Of a session that outlives its login, or that is gone: the moment of the login is known to nobody else.
  if (hint.authTime === epochSeconds(login.authTime)) return 'this login';
  const { sessionId } = hint;
  const openedIn =
    sessionId && (await gate.into(tenant.id).transaction((tx) => findLoginOf(tx, sessionId)));
  return openedIn === login.sessionId ? 'this login' : 'another login';
}

interface HintedLogin {
  readonly client: KnownClient;
  readonly login: Pick<BrowserLogin, 'sessionId' | 'userId' | 'authTime'> | undefined;
  readonly hint: ReadHint;
}
