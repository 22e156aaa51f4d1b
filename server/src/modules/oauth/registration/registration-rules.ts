import type { Fail, FieldError } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import type {
  ClientInformation,
  ClientMetadata,
} from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { registerApplication } from '@keywright/contract/routes/registration';
import type { Egress } from '../../../platform/egress/egress.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import {
  type ClientFields,
  metadataOf as clientMetadataOf,
  fieldsFrom,
  flawsOf,
  hasSecrets,
  isAtHost,
  judgeScopes,
  requireCallable,
  type ScopePolicy,
} from '../clients/index.ts';

/** Limits on the metadata that a client can register. */
export interface RegistrationPolicy extends ScopePolicy {
  /** Hosts of redirect URIs; undefined: any. */
  readonly redirectHosts: readonly string[] | undefined;
  /** The profile that applies to the client. */
  readonly profile: ClientFields['profile'];
}

export type RefuseMetadata = Fail<'CLIENT_METADATA_INVALID' | 'REDIRECT_URI_INVALID'>;

/** RFC 6750 §3. */
export const TOKEN_MISSING: FailureOptions = { challenge: 'Bearer' };
export const TOKEN_REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

/** The RFC 7591 names of fields whose names differ in the record. */
const METADATA_NAMES: Readonly<Record<string, string>> = {
  name: 'client_name',
  scopes: 'scope',
  kind: 'application_type',
};

/** Reports the flaws of a record under the names of RFC 7591 §3.2.2. */
export function toMetadataErrors(fail: RefuseMetadata): Fail<'VALIDATION_FAILED'> {
  return (_, { errors = [], ...options } = {}) => {
    const renamed = errors.map(({ path, message }): FieldError => {
      const [, name = '', ...rest] = path.split('/');
      return { path: ['', METADATA_NAMES[name] ?? name, ...rest].join('/'), message };
    });
    const isRedirect = renamed.some(({ path }) => path.startsWith('/redirect_uris'));
    const code = isRedirect ? 'REDIRECT_URI_INVALID' : 'CLIENT_METADATA_INVALID';
    return fail(code, { ...options, errors: renamed });
  };
}

/**
 * Validates the metadata and returns the fields of the client, without the checks that need the database or the
 * network.
 */
export function readMetadata(
  requested: ClientMetadata,
  policy: RegistrationPolicy,
  fail: RefuseMetadata,
): ClientFields {
  const { scope, response_types: _, first_party: __, ...metadata } = requested;
  const names = (scope ?? '').split(' ').filter(Boolean);
  const { scopes, refused } = judgeScopes(names, metadata, policy);
  const method = metadata.token_endpoint_auth_method ?? usualMethod(metadata, policy);
  const complete = { ...metadata, token_endpoint_auth_method: method };
  const fields = fieldsFrom(complete, scopes, policy.profile);
  const message = 'asks for more than is allowed';
  const errors = [
    ...(refused.length > 0 ? [{ path: '/scopes', message }] : []),
    ...flawsOf(fields, policy.profile),
    ...flawsOfHosts(fields, policy),
  ];
  if (errors.length > 0) toMetadataErrors(fail)('VALIDATION_FAILED', { errors });
  return fields;
}

/** RFC 7591 §2, except that native clients have a secret only if they request one. */
function usualMethod(
  { application_type: type }: Pick<ClientMetadata, 'application_type'>,
  { profile }: RegistrationPolicy,
) {
  if (profile === 'fapi2') return 'private_key_jwt';
  return type === 'native' ? 'none' : 'client_secret_basic';
}

function flawsOfHosts(
  { redirect_uris: uris, initiate_login_uri: loginUri }: ClientFields,
  { redirectHosts: hosts }: RegistrationPolicy,
): FieldError[] {
  if (hosts === undefined) return [];
  const message = 'is at a host that is not allowed';
  const flaws = uris.flatMap((uri, index): FieldError[] =>
    isAtHost(uri, hosts) ? [] : [{ path: `/redirect_uris/${index}`, message }],
  );
  if (loginUri !== null && !isAtHost(loginUri, hosts)) {
    flaws.push({ path: '/initiate_login_uri', message });
  }
  return flaws;
}

/** Checks the addresses that the service would call. */
export function requireReachable(egress: Egress, fields: ClientFields, fail: RefuseMetadata): void {
  requireCallable(egress, fields, toMetadataErrors(fail));
  requireGoodProofs(fields, egress, toMetadataErrors(fail));
}

/** Secrets that are only in the response to the registration. */
interface IssuedSecrets {
  readonly client_secret?: string;
  readonly registration_access_token?: string;
}

export function presentRegistration(
  client: OAuthClientRecord,
  baseUrl: string,
  secrets: IssuedSecrets = {},
): ClientInformation {
  const { id, tenant_id: tenantId, created_at: createdAt } = client;
  const endpoint = `${issuerOf(tenantId, baseUrl)}${registerApplication.path}`;
  return {
    client_id: id,
    client_id_issued_at: Math.floor(new Date(createdAt).getTime() / 1000),
    ...(hasSecrets(client.token_endpoint_auth_method) && { client_secret_expires_at: 0 as const }),
    ...secrets,
    registration_client_uri: `${endpoint}/${encodeURIComponent(id)}`,
    ...clientMetadataOf(client),
  };
}
