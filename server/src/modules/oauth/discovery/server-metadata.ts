import { ACR_VALUES } from '@keywright/contract/assurance';
import { DPOP_ALGORITHMS } from '@keywright/contract/dpop';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { PROOF_ALGORITHMS } from '@keywright/contract/records/agent-proofs';
import { ID_JAG_PROFILE } from '@keywright/contract/records/identity-assertions';
import { KEY_ALGORITHMS } from '@keywright/contract/records/signing-key';
import type { OkOf } from '@keywright/contract/route';
import { authorize } from '@keywright/contract/routes/authorize';
import { authorizeChallenge } from '@keywright/contract/routes/authorize-challenge';
import { authorizeDevice } from '@keywright/contract/routes/device';
import type { getServerMetadata } from '@keywright/contract/routes/discovery';
import { introspectToken } from '@keywright/contract/routes/introspection';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { endSession } from '@keywright/contract/routes/logout';
import { pushAuthorizationRequest } from '@keywright/contract/routes/pushed-requests';
import { registerApplication } from '@keywright/contract/routes/registration';
import { revokeToken } from '@keywright/contract/routes/revocation';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { getUserinfo } from '@keywright/contract/routes/userinfo';
import { OPENID_SCOPES } from '@keywright/contract/scopes';
import { Cache } from '../../../platform/cache/cache.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { PROMPTS, RESPONSE_MODES } from '../authorize/index.ts';
import { USER_CLAIMS } from '../id-tokens/index.ts';
import type { ResourceDirectory, TenantResources } from '../resources/index.ts';
import { addressesOf } from '../token-endpoint/index.ts';

/** Methods of client authentication. */
const SIGNED_METHOD = 'private_key_jwt';
const PROVEN_METHODS = ['client_secret_basic', 'client_secret_post', SIGNED_METHOD];

/** Grants that require a user to log in. */
const OF_USERS: readonly string[] = [
  GRANT_TYPE.authorizationCode,
  GRANT_TYPE.refreshToken,
  GRANT_TYPE.deviceCode,
];

/** Grants without an authentication method that the fapi2 profile accepts. */
const OUTSIDE_FAPI2: readonly string[] = [GRANT_TYPE.deviceCode, GRANT_TYPE.jwtBearer];

/** The methods and algorithms that the tenant's profile allows. */
interface Supported {
  readonly isStrict: boolean;
  /** Can include `none`: then the token that a client presents is its only proof. */
  readonly methods: readonly string[];
  readonly provenMethods: readonly string[];
  readonly proofAlgorithms: readonly string[];
  readonly keyAlgorithms: readonly string[];
}

function supportedBy(owner: MetadataOwner): Supported {
  const isStrict = isUnderFapi2(owner);
  const strong = (algorithms: readonly string[]) =>
    algorithms.filter((algorithm) => !isStrict || algorithm !== WEAK_ALGORITHM);
  const provenMethods = isStrict ? [SIGNED_METHOD] : PROVEN_METHODS;
  return {
    isStrict,
    provenMethods,
    methods: isStrict ? provenMethods : [...provenMethods, 'none'],
    proofAlgorithms: strong(PROOF_ALGORITHMS),
    keyAlgorithms: strong(KEY_ALGORITHMS),
  };
}

/** Claims of ID tokens that are not about the user. */
const LOGIN_CLAIMS = [
  'iss',
  'aud',
  'iat',
  'exp',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'sid',
  'at_hash',
];

type Metadata = OkOf<typeof getServerMetadata>;

type MetadataOwner = Pick<Tenant, 'id' | 'issuer'> & {
  readonly config: Pick<
    Tenant['config'],
    | 'oauth_enabled'
    | 'oauth_require_pushed_requests'
    | 'oauth_profile'
    | 'oauth_registration'
    | 'oauth_metadata_documents'
    | 'oauth_client_domains'
  >;
};

/** Two kilobytes each. */
const MOST_CACHED = 1000;

interface CachedMetadata {
  /** A change replaces both objects, which invalidates the cached metadata. */
  readonly tenant: Tenant;
  readonly resources: TenantResources;
  readonly metadata: Cacheable<Metadata>;
}

/** The metadata of each tenant, cached until it changes. */
export class ServerMetadata {
  readonly #baseUrl: () => string;
  readonly #resources: ResourceDirectory;
  readonly #cache = new Cache<string, CachedMetadata>(MOST_CACHED);

  constructor(baseUrl: () => string, resources: ResourceDirectory) {
    this.#baseUrl = baseUrl;
    this.#resources = resources;
  }

  async of(tenant: Tenant): Promise<Cacheable<Metadata>> {
    const resources = await this.#resources.of(tenant.id);
    const cached = this.#find(tenant, resources);
    if (cached) return cached;
    const metadata = metadataOf(tenant, this.#baseUrl(), resources);
    this.#cache.set(tenant.id, { tenant, resources, metadata });
    return metadata;
  }

  /** Returns the metadata if it is in memory and still valid. */
  cached(tenant: Tenant): Cacheable<Metadata> | undefined {
    const resources = this.#resources.cached(tenant.id);
    return resources && this.#find(tenant, resources);
  }

  #find(tenant: Tenant, resources: TenantResources): Cacheable<Metadata> | undefined {
    const cached = this.#cache.get(tenant.id);
    return cached?.tenant === tenant && cached.resources === resources
      ? cached.metadata
      : undefined;
  }
}

/** Returns the metadata of a tenant (RFC 8414 §2, OpenID Connect Discovery §3), with only the endpoints that work. */
export function metadataOf(
  owner: MetadataOwner,
  baseUrl: string,
  resources: TenantResources,
): Cacheable<Metadata> {
  // The tenant's custom issuer can point elsewhere; its standard issuer points here.
  const here = issuerOf(owner.id, baseUrl);
  const supported = supportedBy(owner);
  const types = resources.all.flatMap((resource) => resource.detailsTypes.map(({ type }) => type));
  const provider = owner.config.oauth_enabled ? providerOf(owner, here, supported) : undefined;
  const grants = Object.values(GRANT_TYPE).filter(
    (grant) =>
      (provider || !OF_USERS.includes(grant)) &&
      !(supported.isStrict && OUTSIDE_FAPI2.includes(grant)),
  );
  const metadata: Metadata = {
    issuer: owner.issuer,
    token_endpoint: addressesOf(owner.id, baseUrl).tokenEndpoint,
    ...provider,
    grant_types_supported: grants,
    token_endpoint_auth_methods_supported: [...supported.methods],
    token_endpoint_auth_signing_alg_values_supported: [...supported.proofAlgorithms],
    introspection_endpoint: `${here}${introspectToken.path}`,
    introspection_endpoint_auth_methods_supported: [...supported.provenMethods],
    introspection_endpoint_auth_signing_alg_values_supported: [...supported.proofAlgorithms],
    introspection_signing_alg_values_supported: [...supported.keyAlgorithms],
    dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
    jwks_uri: `${here}${getKeySet.path}`,
    resource_indicators_supported: true,
    ...(types.length > 0 && provider && { authorization_details_types_supported: types }),
    ...(resources.all.length > 0 && { protected_resources: resources.all.map(({ uri }) => uri) }),
    service_documentation: `${baseUrl}/reference`,
  };
  return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
}

/** Whether the tenant accepts client metadata documents at any address. */
function readsDocuments(config: MetadataOwner['config']): boolean {
  const { oauth_metadata_documents: which, oauth_client_domains: domains } = config;
  return which === 'any' || (which === 'listed' && domains.length > 0);
}

/** Returns the metadata for clients that log users in. */
function providerOf(
  { issuer, config }: MetadataOwner,
  here: string,
  { isStrict, methods, proofAlgorithms, keyAlgorithms }: Supported,
) {
  const onDevices = { device_authorization_endpoint: `${here}${authorizeDevice.path}` };
  const inApps = { authorization_challenge_endpoint: `${here}${authorizeChallenge.path}` };
  return {
    authorization_endpoint: `${issuer}${authorize.path}`,
    userinfo_endpoint: `${here}${getUserinfo.path}`,
    end_session_endpoint: `${issuer}${endSession.path}`,
    pushed_authorization_request_endpoint: `${here}${pushAuthorizationRequest.path}`,
    ...(!isStrict && onDevices),
    ...(!isStrict && inApps),
    identity_chaining_requested_token_types_supported: [TOKEN_TYPE.idJag],
    authorization_grant_profiles_supported: [ID_JAG_PROFILE],
    ...(config.oauth_registration !== 'off' && {
      registration_endpoint: `${here}${registerApplication.path}`,
    }),
    client_id_metadata_document_supported: readsDocuments(config),
    require_pushed_authorization_requests: config.oauth_require_pushed_requests || isStrict,
    revocation_endpoint: `${here}${revokeToken.path}`,
    revocation_endpoint_auth_methods_supported: [...methods],
    revocation_endpoint_auth_signing_alg_values_supported: [...proofAlgorithms],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...PROMPTS],
    acr_values_supported: [...ACR_VALUES],
    scopes_supported: [...OPENID_SCOPES],
    ui_locales_supported: [...TEXT_LOCALES],
    id_token_signing_alg_values_supported: [...keyAlgorithms],
    claims_parameter_supported: true,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: [...proofAlgorithms],
    authorization_signing_alg_values_supported: [...keyAlgorithms],
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public', 'pairwise'],
    userinfo_signing_alg_values_supported: [...keyAlgorithms],
    claims_supported: ['sub', ...USER_CLAIMS, ...LOGIN_CLAIMS],
  } satisfies Partial<Metadata>;
}
