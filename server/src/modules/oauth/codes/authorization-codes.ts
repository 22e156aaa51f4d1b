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

/** Claims that are requested by name, and whether each is essential (OpenID Connect Core §5.5). */
type RequestedClaims = Readonly<Record<string, { readonly essential: boolean }>>;

/** The grant of a user to a client, until the client exchanges the code for tokens. */
export interface AuthorizationCode {
  readonly clientId: OAuthClientId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The user's browser session when the code was issued. */
  readonly loginId: SessionId;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  /** Undefined if the user logged in inside the client. */
  readonly redirectUri?: string | undefined;
  /** SHA-256 of the code verifier, in base64url (RFC 7636 §4.2). */
  readonly challenge?: string | undefined;
  readonly nonce?: string | undefined;
  /** Thumbprint of the key that must sign the DPoP proof of the exchange (RFC 9449 §10). */
  readonly jkt?: string | undefined;
  readonly scopes: readonly string[];
  /** The targets of access tokens (RFC 8707); undefined: only the tenant itself. */
  readonly targets?: readonly string[] | undefined;
  /** The authorization details (RFC 9396). */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  readonly claims: { readonly idToken: RequestedClaims; readonly userinfo: RequestedClaims };
}

/** Issues and reads authorization codes. They are not stored: each code is its sealed content. */
export class AuthorizationCodes {
  readonly #seals: Seals;

  constructor(seals: Seals) {
    this.#seals = seals;
  }

  issue(tenantId: TenantId, code: AuthorizationCode, now: Date): Promise<string> {
    const exp = epochSeconds(now) + LIFETIME_SECONDS;
    return this.#seals.seal({ ...code, exp }, { tenantId, purpose: 'authorization code' });
  }

  /** @returns undefined unless it is an unexpired code of this tenant */
  async read(tenantId: TenantId, text: string, now: Date): Promise<AuthorizationCode | undefined> {
    const opened = await this.#seals.open(text, { tenantId, purpose: 'authorization code' });
    if (opened === undefined) return undefined;
    const { exp, ...code } = opened as AuthorizationCode & { readonly exp: number };
    return epochSeconds(now) < exp ? code : undefined;
  }
}
