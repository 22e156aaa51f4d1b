import type { OAuthClientId } from '@keywright/contract/ids';
import { AppError, type ErrorCode } from '@keywright/contract/errors';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Gate } from '../../../tenancy/gate.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import { readRefreshToken } from '../../tokens/access-tokens/index.ts';
import { findRefreshable, type Refresh } from '../../tokens/sessions/index.ts';
import type { IdToken } from '../id-tokens/index.ts';
import { chooseTarget, type FindResources } from '../resources/index.ts';
import {
  answerWith,
  idTokenOf,
  requireField,
  requireGrant,
  tellsMetadata,
} from './application-answer.ts';
import type { Identify } from './identify.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';
import type { Application } from './application.ts';
import { chooseDetails } from './details.ts';
import { boundTo, needsKey } from './bound-to.ts';
import { isConfidential, isFixed } from './refresh-policy.ts';
import { targetOf } from './target.ts';

/** What is the same for a client: it cannot go on with this token. */
const REFUSALS: readonly ErrorCode[] = ['TOKEN_INVALID', 'TENANT_MISMATCH', 'REFRESH_TOKEN_REUSED'];

interface Dependencies {
  readonly gate: Gate;
  readonly identify: Identify;
  readonly idToken: IdToken;
  readonly refresh: Refresh;
  /** Of clients whose refresh tokens stay the same. */
  readonly refreshFixed: Refresh;
  readonly findResources: FindResources;
  readonly noteClientUse: NoteUse<OAuthClientId>;
}

/** RFC 6749 §6: by the rotation that the refresh tokens of direct logins have, unless those of the client are fixed. */
export function createRefreshGrant(dependencies: Dependencies): IssueToken {
  return (request, fail) =>
    dependencies.identify.knownApplication(request, fail, (client) =>
      refreshAs(dependencies, request, client, fail),
    );
}

async function refreshAs(
  { gate, refresh, refreshFixed, idToken, findResources, noteClientUse }: Dependencies,
  { tenant, parameters, from, key }: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer | 'stale'> {
  requireGrant(client, 'refresh_token', fail);
  const token = parameters.refresh_token ?? requireField('refresh_token', fail);
  // Not verified yet: a refresh of what is forged is rejected below.
  const claimed = readRefreshToken(token)?.client ?? undefined;
  const { scopes: granted = [], targets = [], details, jkt: bound } = claimed ?? {};
  const narrowedTo = narrowedBy(parameters.scope, granted, fail);
  const scopes = narrowedTo ?? granted;
  const detailsNow = chooseDetails(client, details, parameters.authorization_details, fail);
  const resource = await chooseTarget(findResources, tenant, targets, parameters.resource, fail);
  const target = resource && targetOf(resource);
  const isToStay = isFixed(client, bound);
  // Anybody can send what is forged, in the name of a public client: that uses up no proof, which is a row.
  if (key && !isToStay && !(await findRefreshable(gate, tenant, token))) {
    return fail('GRANT_INVALID', { internal: 'forged' });
  }
  const jkt = await boundTo(key, bound !== undefined || needsKey(tenant, client, resource), fail);
  const { id, version } = client;
  const by = {
    id,
    version,
    isConfidential: isConfidential(client),
    tellsMetadata: tellsMetadata(scopes),
  };
  const use = { token, from, client: by, narrowedTo, detailsNow, target, jkt };
  const go = isToStay ? refreshFixed : refresh;
  const refreshed = await go(tenant, use, refusing(fail));
  if (refreshed === 'stale') return refreshed;
  noteClientUse(tenant.id, client.id);
  const { answer: tokens, scope, session, details: given } = refreshed;
  const told = { client, tokens, scopes, session };
  const toldScopes = target ? scope : scopes;
  const answer = answerWith(tokens, { scope: toldScopes, details: given }, jkt);
  return { ...answer, ...(await idTokenOf(idToken, tenant, told)) };
}

/** @throws AppError SCOPE_INVALID when more is asked for than was granted */
function narrowedBy(
  scope: string | undefined,
  granted: readonly string[],
  fail: Refuse,
): string[] | undefined {
  const asked = [...new Set((scope ?? '').split(' ').filter(Boolean))];
  if (asked.length === 0) return undefined;
  return asked.every((one) => granted.includes(one)) ? asked : fail('SCOPE_INVALID');
}

function refusing(fail: Refuse): Parameters<Refresh>[2] {
  return (code) => {
    if (REFUSALS.includes(code)) return fail('GRANT_INVALID', { internal: code });
    throw new AppError(code);
  };
}
