import type { Fail } from '@keywright/contract/errors';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { ErrorsOf } from '@keywright/contract/route';
import type { issueToken } from '@keywright/contract/routes/token';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { TokenRequest } from './client-proof.ts';

/** A request to the token endpoint. */
export interface TokenEndpointRequest {
  readonly tenant: Tenant;
  readonly parameters: TokenRequest;
  /** The header of that name. */
  readonly authorization: string | undefined;
  readonly from: Origin;
}

export type Refuse = Fail<ErrorsOf<typeof issueToken>>;

export type IssueToken = (
  request: TokenEndpointRequest,
  fail: Refuse,
) => Promise<ClientTokenAnswer>;
