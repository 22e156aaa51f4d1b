import type { FieldFacts } from '../../api/field-facts.ts';

/** Fields that few people need, or that break sign-in when they are wrong. */
const RARE: Readonly<Record<string, readonly string[]>> = {
  agent: ['jwks', 'trusts'],
  config: [
    'passkey_origins',
    'passkey_attestation',
    'passkey_aaguids',
    'audience',
    'refresh_retry_window',
    'oauth_dpop_nonces',
    'oauth_require_pushed_requests',
  ],
  provider: ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'subject_claim'],
  registrationToken: ['scopes', 'resources', 'redirect_hosts'],
  resource: ['access_token_signing_alg', 'access_token_typ', 'dpop_required'],
  user: ['user_metadata'],
};

/**
 * Returns the fields that a form shows at first, and those that are folded. A form without others shows all. A
 * required field is never folded.
 */
export function foldedOf(
  fields: readonly FieldFacts[],
): readonly [shown: readonly FieldFacts[], folded: readonly FieldFacts[]] {
  const isFolded = ({ of, name, kind, required }: FieldFacts) =>
    required !== true && (kind === 'json' || RARE[of]?.includes(name) === true);
  const shown = fields.filter((field) => !isFolded(field));
  return shown.length === 0 ? [fields, []] : [shown, fields.filter(isFolded)];
}
