import type { FieldError } from '@keywright/contract/errors';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { isUnderFapi2, WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ClientFields } from './fields.ts';

type Profile = ClientFields['profile'];
type Profiled = Pick<ClientFields, 'profile'>;

/** What a client has to be under the profile, and what its requests have to be: that of its tenant, or its own. */
export function profileOf(
  tenant: { readonly config: Pick<Tenant['config'], 'oauth_profile'> },
  { profile }: Profiled,
): Profile {
  return isUnderFapi2(tenant) ? 'fapi2' : profile;
}

export function isFapi2Client(tenant: Pick<Tenant, 'config'>, client: Profiled): boolean {
  return profileOf(tenant, client) === 'fapi2';
}

/** What is wrong with a client for a profile. */
export function flawsUnder(profile: Profile, client: ClientFields): FieldError[] {
  return profile === 'fapi2' ? [...flawsOfFapi2(client), ...flawsOfKeys(client)] : [];
}

/** FAPI 2.0 Security Profile §5.3.2. */
function flawsOfFapi2(client: ClientFields): FieldError[] {
  const { grant_types: grants } = client;
  const flaws: FieldError[] = [];
  const add = (path: string, message: string) =>
    flaws.push({ path, message: `${message} under the profile fapi2` });
  if (client.token_endpoint_auth_method !== 'private_key_jwt') {
    add('/token_endpoint_auth_method', 'must be private_key_jwt');
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg'] as const) {
    if (client[name] === WEAK_ALGORITHM) add(`/${name}`, 'must be ES256 or EdDSA');
  }
  // Whoever asks on a device cannot be told from whoever allows it.
  if (grants.includes(DEVICE_GRANT)) add('/grant_types', `must not include ${DEVICE_GRANT}`);
  // FAPI 2.0 Security Profile §5.3.2.2: users authenticate at the authorization server.
  if (client.in_app_login) add('/in_app_login', 'must be false');
  if (grants.includes('refresh_token') && client.refresh_token_policy !== 'fixed') {
    add('/refresh_token_policy', 'must be fixed');
  }
  for (const [index, uri] of client.redirect_uris.entries()) {
    const isPlain = client.kind !== 'native' && uri.startsWith('http:');
    if (isPlain) add(`/redirect_uris/${index}`, 'must begin with https://');
  }
  return flaws;
}

/** A key that could sign nothing. */
function flawsOfKeys({ jwks }: ClientFields): FieldError[] {
  return (jwks?.keys ?? []).flatMap(({ alg }, index) =>
    alg === WEAK_ALGORITHM
      ? [
          {
            path: `/jwks/keys/${index}/alg`,
            message: 'must not be RS256 under the profile fapi2',
          },
        ]
      : [],
  );
}
