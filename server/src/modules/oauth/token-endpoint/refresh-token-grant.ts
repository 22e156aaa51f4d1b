import { AppError, type ErrorCode } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Gate } from '../../../tenancy/gate.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import {
  findRefreshable,
  type RefreshService,
  type RefuseRefresh,
} from '../../tokens/sessions/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import type { IdTokens } from '../id-tokens/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  chooseDetails,
  hasFixedRefreshToken,
  isConfidential,
  needsKey,
  needsMetadata,
  requireGrantType,
  requireParameter,
  targetOf,
} from './token-request.ts';
import { idTokenOf, tokenResponse } from './token-response.ts';

/** Indistinguishable to a client, which can no longer use the token in any of these cases. */
const REJECTIONS: readonly ErrorCode[] = [
  'TOKEN_INVALID',
  'TENANT_MISMATCH',
  'REFRESH_TOKEN_REUSED',
];

/** RFC 6749 §6. Refresh tokens rotate like those of direct logins, unless the client's refresh tokens are fixed. */
export class RefreshTokenGrant implements Grant {
  readonly #authentication: ClientAuthentication;
  readonly #gate: Gate;
  readonly #refreshes: RefreshService;
  readonly #idTokens: IdTokens;
  readonly #resources: ResourceDirectory;
  readonly #noteClientUse: NoteUse<OAuthClientId>;

  constructor(
    authentication: ClientAuthentication,
    gate: Gate,
    refreshes: RefreshService,
    idTokens: IdTokens,
    resources: ResourceDirectory,
    noteClientUse: NoteUse<OAuthClientId>,
  ) {
    this.#authentication = authentication;
    this.#gate = gate;
    this.#refreshes = refreshes;
    this.#idTokens = idTokens;
    this.#resources = resources;
    this.#noteClientUse = noteClientUse;
  }

  issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    return this.#authentication.withIdentifiedClient(request, fail, (client) =>
      this.#refreshFor(request, client, fail),
    );
  }

  async #refreshFor(
    { tenant, parameters, from, key }: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer | 'stale'> {
    requireGrantType(client, 'refresh_token', fail);
    const token = parameters.refresh_token ?? requireParameter('refresh_token', fail);
    // A signature is not verified here: the refresh below rejects a forged token.
    const presented =
      (await this.#refreshes.read(tenant, token)) ??
      fail('GRANT_INVALID', { internal: 'TOKEN_INVALID' });
    const { scopes: granted = [], targets = [], details, jkt: bound } = presented.client ?? {};
    const narrowedTo = narrowedScopes(parameters.scope, granted, fail);
    const scopes = narrowedTo ?? granted;
    const detailsNow = chooseDetails(client, details, parameters.authorization_details, fail);
    const resource = await this.#resources.chooseTarget(tenant, targets, parameters.resource, fail);
    const target = resource && targetOf(resource);
    const isFixed = hasFixedRefreshToken(client, bound);
    // Rejects forged tokens first, because anyone can present one for a public client, and using up a proof writes a
    // row. The MAC of an opaque token is verified already.
    const isDoubtful = key && !isFixed && presented.signed;
    if (isDoubtful && !(await findRefreshable(this.#gate, tenant, presented))) {
      return fail('GRANT_INVALID', { internal: 'forged' });
    }
    const isKeyRequired = bound !== undefined || needsKey(tenant, client, resource);
    const jkt = await bindToKey(key, isKeyRequired, fail);
    const { id, version } = client;
    const by = {
      id,
      version,
      isConfidential: isConfidential(client),
      showsMetadata: needsMetadata(scopes),
    };
    const use = { presented, from, client: by, narrowedTo, detailsNow, target, jkt };
    const refreshed = isFixed
      ? await this.#refreshes.refreshFixed(tenant, use, asGrantInvalid(fail))
      : await this.#refreshes.refresh(tenant, use, asGrantInvalid(fail));
    if (refreshed === 'stale') return refreshed;
    this.#noteClientUse(tenant.id, client.id);
    const { answer: tokens, scope, session, details: allowed } = refreshed;
    const login = { client, tokens, scopes, session };
    const response = tokenResponse(tokens, target ? scope : scopes, allowed, jkt);
    return { ...response, ...(await idTokenOf(this.#idTokens, tenant, login)) };
  }
}

/** @throws AppError SCOPE_INVALID if the request names more than was granted */
function narrowedScopes(
  requested: string | undefined,
  granted: readonly string[],
  fail: RefuseGrant,
): string[] | undefined {
  const scopes = [...new Set((requested ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0) return undefined;
  return scopes.every((scope) => granted.includes(scope)) ? scopes : fail('SCOPE_INVALID');
}

function asGrantInvalid(fail: RefuseGrant): RefuseRefresh {
  return (code) => {
    if (REJECTIONS.includes(code)) return fail('GRANT_INVALID', { internal: code });
    throw new AppError(code);
  };
}
