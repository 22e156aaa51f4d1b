import type { OkOf } from '@keywright/contract/route';
import { getKeySet } from '@keywright/contract/routes/key-set';
import {
  CREATE_STREAM_ROUTES,
  READ_STATUS_ROUTES,
  VERIFY_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import type { getTransmitter } from '@keywright/contract/routes/transmitter';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { Cacheable } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';

type Metadata = OkOf<typeof getTransmitter>;

/** What a tenant says of itself as a transmitter (Shared Signals Framework §7.1). */
export function transmitterOf(
  { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
  baseUrl: string,
): Cacheable<Metadata> {
  // An issuer that a tenant brought with it need not lead here.
  const here = issuerOf(id, baseUrl);
  const metadata: Metadata = {
    spec_version: '1_0',
    issuer,
    jwks_uri: `${here}${getKeySet.path}`,
    delivery_methods_supported: [DELIVERY_METHODS.push, DELIVERY_METHODS.poll],
    configuration_endpoint: `${here}${CREATE_STREAM_ROUTES[0].path}`,
    status_endpoint: `${here}${READ_STATUS_ROUTES[0].path}`,
    verification_endpoint: `${here}${VERIFY_STREAM_ROUTES[0].path}`,
    critical_subject_members: ['user'],
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    default_subjects: 'ALL',
  };
  return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
}
