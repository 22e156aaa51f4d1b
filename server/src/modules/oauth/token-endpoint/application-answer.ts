import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ClientTokenAnswer, TokenAnswer } from '@keywright/contract/records/tokens';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { tokenTypeOf } from '../../tokens/access-tokens/index.ts';
import type { SessionFacts } from '../../tokens/sessions/index.ts';
import type { IdToken } from '../id-tokens/index.ts';
import type { Application } from './application.ts';
import type { Refuse } from './request.ts';

/** @throws AppError CLIENT_UNAUTHORIZED */
export function requireGrant(
  { grant_types: grants }: Application,
  needed: Application['grant_types'][number],
  fail: Refuse,
): void {
  if (!grants.includes(needed)) fail('CLIENT_UNAUTHORIZED');
}

/** What an access token is for. */
interface AnsweredScope {
  readonly scope: readonly string[];
  /** In particular (RFC 9396 §7). */
  readonly details?: readonly AuthorizationDetail[] | undefined;
}

/** What the token endpoint returns of tokens that applications get. */
export function answerWith(
  tokens: { readonly access_token: string; readonly expires_in: number; refresh_token?: string },
  { scope, details }: AnsweredScope,
  jkt: string | undefined,
): ClientTokenAnswer {
  const { access_token, expires_in, refresh_token } = tokens;
  return {
    access_token,
    token_type: tokenTypeOf(jkt),
    expires_in,
    scope: scope.join(' '),
    ...(details && { authorization_details: [...details] }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
  };
}

export function requireField(name: string, fail: Refuse): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message: 'is required' }] });
}

interface Told {
  readonly client: Application;
  readonly tokens: Pick<TokenAnswer, 'access_token' | 'user'>;
  readonly scopes: readonly string[];
  readonly session: SessionFacts;
  readonly nonce?: string | undefined;
  /** Claims that the client asked for by name. */
  readonly asked?: readonly string[];
}

/** The ID token beside an access token: only for OpenID Connect. */
export async function idTokenOf(
  idToken: IdToken,
  tenant: Tenant,
  { client, tokens, scopes, session, nonce, asked = [] }: Told,
): Promise<Pick<ClientTokenAnswer, 'id_token'>> {
  if (!scopes.includes('openid')) return {};
  const { id: sessionId, userId: id, metadata, updatedAt, ...how } = session;
  const user = { id, identifiers: tokens.user.identifiers, metadata, updated_at: updatedAt };
  const accessToken = tokens.access_token;
  const login = { tenant, client, user, sessionId, ...how, nonce, scopes, asked, accessToken };
  return { id_token: await idToken(login) };
}

/** Whether an ID token may tell what administrators wrote about the user, or when they were last changed. */
export function tellsMetadata(scopes: readonly string[], asked: readonly string[] = []): boolean {
  return scopes.includes('openid') && (scopes.includes('profile') || asked.length > 0);
}
