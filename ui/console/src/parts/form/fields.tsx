import type { FieldFacts } from '../../api/field-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Field } from './field.tsx';
import type { Body, FieldErrors } from './values.ts';

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

export interface FieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly present: Body | undefined;
  readonly wrong: FieldErrors;
}

export function Fields({ fields, present, wrong }: FieldsProps) {
  return fields.map((field) => (
    <Field
      // Starts with the current value. Changes to the rest of the record do not affect what is being typed here.
      key={JSON.stringify([field.name, present?.[field.name]])}
      facts={field}
      value={present?.[field.name]}
      errors={wrong.get(field.name)}
      isOfChange={present !== undefined}
    />
  ));
}

/** The fields, with the rare ones folded. */
export function Foldable({ fields, ...rest }: FieldsProps) {
  const { say } = useTexts();
  const [shown, folded] = foldedOf(fields);
  return (
    <>
      <Fields fields={shown} {...rest} />
      {folded.length > 0 && (
        <details
          className="advanced"
          // An error in it must be visible.
          open={folded.some(({ name }) => rest.wrong.has(name)) || undefined}
        >
          <summary>{say('advanced')}</summary>
          <div className="form">
            <Fields fields={folded} {...rest} />
          </div>
        </details>
      )}
    </>
  );
}

/**
 * Returns the fields that a form shows at first, and those that are folded. A form without others shows all. A
 * required field is never folded.
 */
function foldedOf(
  fields: readonly FieldFacts[],
): readonly [shown: readonly FieldFacts[], folded: readonly FieldFacts[]] {
  const isFolded = ({ of, name, kind, required, isRare }: FieldFacts) =>
    required !== true && (isRare === true || kind === 'json' || RARE[of]?.includes(name) === true);
  const shown = fields.filter((field) => !isFolded(field));
  return shown.length === 0 ? [fields, []] : [shown, fields.filter(isFolded)];
}
