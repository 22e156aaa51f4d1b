import type { Fail, FieldError } from '@keywright/contract/errors';
import type { ClientMetadata } from '@keywright/contract/records/client-metadata';
import type { Egress } from '../../../platform/egress/egress.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import {
  type ClientFields,
  fieldsFrom,
  flawsOf,
  judgeScopes,
  requireCallable,
  returnsTo,
  type ScopePolicy,
} from '../clients/index.ts';

/** What an application may register for. */
export interface RegistrationPolicy extends ScopePolicy {
  /** Where users may return to; undefined: anywhere. */
  readonly redirectHosts: readonly string[] | undefined;
  /** That holds for it. */
  readonly profile: ClientFields['profile'];
}

export type RefuseMetadata = Fail<'CLIENT_METADATA_INVALID' | 'REDIRECT_URI_INVALID'>;

/** Names of a record, where those of RFC 7591 differ. */
const NAMES: Readonly<Record<string, string>> = {
  name: 'client_name',
  scopes: 'scope',
  kind: 'application_type',
};

/** Flaws of a record, as RFC 7591 §3.2.2 names them. */
export function refuseFields(fail: RefuseMetadata): Fail<'VALIDATION_FAILED'> {
  return (_, { errors = [], ...options } = {}) => {
    const renamed = errors.map(({ path, message }): FieldError => {
      const [, name = '', ...rest] = path.split('/');
      return { path: ['', NAMES[name] ?? name, ...rest].join('/'), message };
    });
    const isRedirect = renamed.some(({ path }) => path.startsWith('/redirect_uris'));
    const code = isRedirect ? 'REDIRECT_URI_INVALID' : 'CLIENT_METADATA_INVALID';
    return fail(code, { ...options, errors: renamed });
  };
}

/** What an application would be registered as, apart from what only others can tell. */
export function readMetadata(
  metadata: ClientMetadata,
  policy: RegistrationPolicy,
  fail: RefuseMetadata,
): ClientFields {
  const { scope, response_types: _, first_party: __, ...said } = metadata;
  const asked = (scope ?? '').split(' ').filter(Boolean);
  const { scopes, refused } = judgeScopes(asked, said, policy);
  const fields = fieldsFrom(
    {
      ...said,
      token_endpoint_auth_method: said.token_endpoint_auth_method ?? usualMethod(said, policy),
    },
    scopes,
    policy.profile,
  );
  const flaws =
    refused.length > 0 ? [{ path: '/scopes', message: 'asks for more than is allowed' }] : [];
  return requireAllowed(fields, policy, flaws, refuseFields(fail));
}

/** RFC 7591 §2, except of what runs on a device, where a secret is only for whoever asks for one. */
function usualMethod(
  { application_type: type }: Pick<ClientMetadata, 'application_type'>,
  { profile }: RegistrationPolicy,
) {
  if (profile === 'fapi2') return 'private_key_jwt';
  return type === 'native' ? 'none' : 'client_secret_basic';
}

function requireAllowed(
  fields: ClientFields,
  { redirectHosts, profile }: RegistrationPolicy,
  flaws: readonly FieldError[],
  fail: Fail<'VALIDATION_FAILED'>,
): ClientFields {
  const message = 'is at a host that is not allowed';
  const isElsewhere = (uri: string | null) =>
    uri !== null && redirectHosts !== undefined && !returnsTo(uri, redirectHosts);
  const elsewhere = fields.redirect_uris.flatMap((uri, index): FieldError[] =>
    isElsewhere(uri) ? [{ path: `/redirect_uris/${index}`, message }] : [],
  );
  if (isElsewhere(fields.initiate_login_uri)) {
    elsewhere.push({ path: '/initiate_login_uri', message });
  }
  const errors = [...flaws, ...flawsOf(fields, profile), ...elsewhere];
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
  return fields;
}

/** Also as far as the service would call it. */
export function requireUsable(egress: Egress, fields: ClientFields, fail: RefuseMetadata): void {
  requireCallable(egress, fields, refuseFields(fail));
  requireGoodProofs(fields, egress, refuseFields(fail));
}
