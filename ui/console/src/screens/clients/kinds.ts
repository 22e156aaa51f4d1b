import type { FieldFacts } from '../../api/field-facts.ts';
import type { Body } from '../../parts/form/values.ts';

/** The kinds of applications, for the user who registers one. */
export const APP_KINDS = ['web', 'spa', 'native', 'device', 'machine', 'document'] as const;
export type AppKind = (typeof APP_KINDS)[number];

/** The kinds that are registered as a client. Machines are agents, and a document describes its own client. */
export type RegisteredKind = Exclude<AppKind, 'machine' | 'document'>;

interface Registration {
  readonly fields: readonly string[];
  /** Values that follow from the kind. */
  readonly fixed: Body;
}

const COMMON = ['scopes', 'first_party'];
const RETURNING = ['name', 'redirect_uris', 'post_logout_redirect_uris', ...COMMON];
/** Refresh tokens keep users logged in, if the scopes also include offline_access. */
const BY_BROWSER = { grant_types: ['authorization_code', 'refresh_token'] };
/** RFC 8628 §3.4. */
const BY_DEVICE = {
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
};

export const REGISTRATIONS: Readonly<Record<RegisteredKind, Registration>> = {
  web: {
    fields: [...RETURNING, 'token_endpoint_auth_method', 'jwks_uri', 'backchannel_logout_uri'],
    fixed: { kind: 'web', ...BY_BROWSER },
  },
  spa: { fields: RETURNING, fixed: { kind: 'spa', ...BY_BROWSER } },
  native: { fields: RETURNING, fixed: { kind: 'native', ...BY_BROWSER } },
  device: {
    fields: ['name', ...COMMON],
    fixed: { kind: 'native', redirect_uris: [], ...BY_DEVICE },
  },
};

/** Returns the fields of a client of this kind. */
export function factsOfApp(facts: readonly FieldFacts[], kind: RegisteredKind): FieldFacts[] {
  return REGISTRATIONS[kind].fields.flatMap((name) => facts.filter((field) => field.name === name));
}

/** The tenant's settings for applications that describe themselves. */
export const DOCUMENT_SETTINGS = ['oauth_client_domains', 'oauth_metadata_documents'];
