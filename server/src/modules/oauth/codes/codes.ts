import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Seals } from './seals.ts';

/** RFC 6749 §4.1.2 recommends at most ten minutes. */
const LIFETIME_SECONDS = 60;

/** Claims that the client asked for by name, with whether each is essential (OpenID Connect Core §5.5). */
type WantedClaims = Readonly<Record<string, { readonly essential: boolean }>>;

/** What a user granted to an application, until the application fetches its tokens. */
export interface AuthorizationCode {
  readonly clientId: OAuthClientId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session in which it was issued. */
  readonly loginId: SessionId;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  /** Undefined: the user logged in inside the application. */
  readonly redirectUri?: string | undefined;
  /** SHA-256 of the code verifier, in base64url (RFC 7636 §4.2). */
  readonly challenge?: string | undefined;
  readonly nonce?: string | undefined;
  /** Of the key whose proof the exchange needs (RFC 9449 §10). */
  readonly jkt?: string | undefined;
  readonly scopes: readonly string[];
  /** Ids of what access tokens can be for; without it the tenant itself alone. */
  readonly targets?: readonly string[] | undefined;
  /** What is allowed in particular (RFC 9396). */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  readonly claims: { readonly idToken: WantedClaims; readonly userinfo: WantedClaims };
}

/** Authorization codes. They are stored nowhere: each is its content, sealed. */
export interface Codes {
  issue(tenantId: TenantId, code: AuthorizationCode, now: Date): Promise<string>;
  /** Undefined if it is not one of this tenant, or has expired. */
  read(tenantId: TenantId, text: string, now: Date): Promise<AuthorizationCode | undefined>;
}

export function createCodes(seals: Seals): Codes {
  const place = (tenantId: TenantId) => ({ tenantId, purpose: 'authorization code' }) as const;
  return {
    issue: (tenantId, code, now) =>
      seals.seal({ ...code, exp: epochSeconds(now) + LIFETIME_SECONDS }, place(tenantId)),
    async read(tenantId, text, now) {
      const opened = await seals.open(text, place(tenantId));
      if (opened === undefined) return undefined;
      const { exp, ...code } = opened as AuthorizationCode & { readonly exp: number };
      return epochSeconds(now) < exp ? code : undefined;
    },
  };
}
