import { hkdfSync } from 'node:crypto';
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
import { decodeBase64url } from '../../../platform/crypto/jws.ts';
import { openCarried, sealCarried } from '../../../platform/crypto/sealed.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';

/** RFC 6749 §4.1.2 recommends at most ten minutes. */
export const LIFETIME_SECONDS = 60;

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
  /** ID of the test login that redeems the code; no client can. */
  readonly test?: string | undefined;
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

const MAX_LENGTH = 16_384;

/** The context of a sealed text, which cannot be opened in any other context. */
interface SealContext {
  readonly tenantId: TenantId;
  readonly purpose:
    | 'authorization code'
    | 'authorization request'
    | 'pushed request'
    | 'auth session'
    | 'logout'
    | 'ended login'
    | 'preview'
    | 'test login';
  /** An additional binding, such as the value of a cookie. */
  readonly boundTo?: string;
}

/**
 * Seals the state that a browser or an application carries between requests, so that it need not be stored. The
 * carrier can neither read nor change it (XChaCha20-Poly1305 under a key of the tenant).
 */
export class Seals {
  readonly #auditKeys: Pick<AuditKeys, 'find'>;
  /** Derived keys by their root key, dropped together with the cached root key. */
  readonly #derivedKeys = new WeakMap<AuditKey, Map<SealContext['purpose'], Buffer>>();

  constructor(auditKeys: Pick<AuditKeys, 'find'>) {
    this.#auditKeys = auditKeys;
  }

  /** @throws DataKeyGone if the tenant was deleted */
  async seal(value: object, context: SealContext): Promise<string> {
    const plain = Buffer.from(JSON.stringify(value));
    const key = await this.#keyOf(context);
    return sealCarried(key, plain, associatedDataOf(context)).toString('base64url');
  }

  /** @returns undefined unless the text was sealed in this context */
  async open(text: string, context: SealContext): Promise<unknown> {
    // Only the canonical encoding: other texts that decode to the same bytes would count as different codes.
    const sealed = text.length > MAX_LENGTH ? undefined : decodeBase64url(text);
    if (!sealed) return undefined;
    const key = await this.#keyOf(context);
    try {
      const plain = openCarried(key, sealed, associatedDataOf(context));
      return JSON.parse(plain.toString()) as unknown;
    } catch {
      return undefined;
    }
  }

  /** The root key, derived from the tenant's data key, which is not cached (RFC 5869). */
  async #keyOf({ tenantId, purpose }: SealContext): Promise<Buffer> {
    const root = await this.#auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const keys = this.#derivedKeys.get(root) ?? new Map<SealContext['purpose'], Buffer>();
    this.#derivedKeys.set(root, keys);
    const cached = keys.get(purpose);
    if (cached) return cached;
    const key = Buffer.from(hkdfSync('sha256', root, '', `keywright ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  }
}

function associatedDataOf({ tenantId, purpose, boundTo = '' }: SealContext): string {
  return JSON.stringify([purpose, tenantId, boundTo]);
}
