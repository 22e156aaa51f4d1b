import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the fields of a form, where `password` can be generated and states the tenant's rule. */
export function usePasswordFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const params = { tenant_id: tenant };
  const { data } = useCall(tenant, 'tenants.get', { params }, can('read:tenant'));
  const { password_min_length: count, password_require_special: needsSymbol } = data?.config ?? {};
  const hint =
    count === undefined
      ? undefined
      : say(needsSymbol ? 'passwordRuleWithSymbol' : 'passwordRule', { count });
  return facts.map((field) =>
    field.name === 'password'
      ? { ...field, isPassword: true as const, ...(hint !== undefined && { hint }) }
      : field,
  );
}
