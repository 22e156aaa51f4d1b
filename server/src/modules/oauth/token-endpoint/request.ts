import type { Fail } from '@keywright/contract/errors';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { ErrorsOf } from '@keywright/contract/route';
import type { issueToken } from '@keywright/contract/routes/token';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { ClientParameters, TokenRequest } from './client-proof.ts';

/** A request of a client that authenticates. */
export interface ClientRequest<Parameters = ClientParameters> {
  readonly tenant: Tenant;
  readonly parameters: Parameters;
  /** The header of that name. */
  readonly authorization: string | undefined;
  readonly from: Origin;
}

/** A request to the token endpoint. */
export interface TokenEndpointRequest extends ClientRequest<TokenRequest> {
  /** That the token is bound to. */
  readonly key: ProvenKey | undefined;
}

/** What a client that does not authenticate is told. */
export type RefuseClient = Fail<
  'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'OAUTH_OFF' | 'TOO_MANY_ATTEMPTS'
>;

export type Refuse = Fail<ErrorsOf<typeof issueToken>>;

export type IssueToken = (
  request: TokenEndpointRequest,
  fail: Refuse,
) => Promise<ClientTokenAnswer>;
