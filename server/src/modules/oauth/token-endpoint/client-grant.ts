import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { tokenTypeOf } from '../../tokens/access-tokens/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import { SIGNAL_SCOPES, type SignalScope, type SignalTokens } from '../signals/index.ts';
import type { Application } from './application.ts';
import { requireGrant } from './application-answer.ts';
import { boundTo } from './bound-to.ts';
import type { Refuse, TokenEndpointRequest } from './request.ts';

export interface ClientGrantDependencies {
  readonly notes: Notes;
  readonly signalTokens: SignalTokens;
}

/** RFC 6749 §4.4: a token of an application for itself, which is for its streams of shared signals. */
export async function issueToClient(
  { notes, signalTokens }: ClientGrantDependencies,
  { tenant, parameters, from, key }: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer> {
  requireGrant(client, 'client_credentials', fail);
  if (client.shared_signals === 'none') fail('CLIENT_UNAUTHORIZED');
  const asked = new Set((parameters.scope ?? '').split(' ').filter(Boolean));
  const scopes = SIGNAL_SCOPES.filter((scope) => asked.size === 0 || asked.has(scope));
  const unknown = [...asked].some((scope) => !scopes.includes(scope as SignalScope));
  if (unknown) fail('SCOPE_INVALID');
  const jkt = await boundTo(key, client.dpop_bound_access_tokens, fail);
  const token = await signalTokens.issue(tenant, client, scopes, jkt);
  notes.note(
    tenant.id,
    { kind: 'client', clientId: client.id, from },
    {
      action: 'auth.token_issued',
      target: { kind: 'client', id: client.id },
      details: { by: client.token_endpoint_auth_method },
    },
  );
  return { ...token, token_type: tokenTypeOf(jkt), scope: scopes.join(' ') };
}
