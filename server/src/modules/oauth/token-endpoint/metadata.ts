import { createHash } from 'node:crypto';
import { PROOF_ALGORITHMS } from '@keywright/contract/records/agent-proofs';
import type { OkOf } from '@keywright/contract/route';
import type { getServerMetadata } from '@keywright/contract/routes/discovery';
import { getIssuerKeySet } from '@keywright/contract/routes/key-set';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { Prepared } from '../../../tenancy/prepared.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { addressesOf } from './addresses.ts';

type Body = OkOf<typeof getServerMetadata>;

const AUTHENTICATION_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
];
const KEY_SET = getIssuerKeySet.path.replace('/t/:tenant_id', '');

/** What a tenant says of itself (RFC 8414 §2), and its tag. */
export class ServerMetadata extends Prepared<Body> {
  readonly etag: string;

  constructor(body: Body) {
    super(JSON.stringify(body));
    this.etag = `"${createHash('sha256').update(this.text).digest('base64url')}"`;
  }
}

/** Only what exists: an address that a client finds here answers. */
export function metadataOf({ id, issuer }: Tenant, baseUrl: string): ServerMetadata {
  return new ServerMetadata({
    issuer,
    token_endpoint: addressesOf(id, baseUrl).tokenEndpoint,
    // An issuer that a tenant brought with it need not lead here; the address that it would have had does.
    jwks_uri: `${issuerOf(id, baseUrl)}${KEY_SET}`,
    response_types_supported: [],
    grant_types_supported: Object.values(GRANT_TYPE),
    token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    token_endpoint_auth_signing_alg_values_supported: [...PROOF_ALGORITHMS],
    service_documentation: `${baseUrl}/reference`,
  });
}
