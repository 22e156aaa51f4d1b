import type { Tenant } from '@keywright/sdk';
import type { FieldFacts } from '../../api/field-facts.ts';
import { tenantConfig } from '../../generated/facts.ts';
import { useRoles } from '../../parts/form/role-facts.ts';
import { type CardId, FIELDS_OF_CARDS } from './methods.ts';

/** Returns the fields of a card. Domains and roles are chosen from those that exist. */
export function useFieldsOf(
  card: CardId,
  { issuer, domains, config }: Tenant,
): readonly FieldFacts[] {
  const { data: roles } = useRoles();
  const choices: Readonly<Record<string, readonly string[] | undefined>> = {
    require_mfa_role: roles?.items.map(({ name }) => name),
    passkey_rp_id: [new URL(issuer).hostname, ...domains],
  };
  return FIELDS_OF_CARDS[card]
    .flatMap((name) => tenantConfig.filter((field) => field.name === name))
    .map((field) =>
      chosenFrom(field, choices[field.name], config[field.name as keyof typeof config]),
    );
}

/** A field with these choices, and the present value. */
function chosenFrom(
  field: FieldFacts,
  choices: readonly string[] | undefined,
  present: unknown,
): FieldFacts {
  if (!choices) return field;
  const all = [...new Set([...choices, present])].filter((name) => typeof name === 'string');
  return { ...field, kind: 'choice', choices: all };
}
