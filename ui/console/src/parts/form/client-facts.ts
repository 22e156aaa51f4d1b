import type { FieldFacts } from '../../api/field-facts.ts';
import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the fields of a form, where an application is chosen by name from those with a page to open. */
export function useClientFacts(facts: readonly FieldFacts[]): readonly FieldFacts[] {
  const { can } = useCaller();
  const query = { limit: 100 };
  const { data: list } = useCall(useTenant(), 'clients.list', { query }, can('read:clients'));
  const clients = (list?.items ?? []).filter(
    (client) =>
      client.is_active &&
      client.created_by === 'admin' &&
      (client.initiate_login_uri !== null || client.client_uri !== null),
  );
  if (clients.length === 0) return facts.filter(({ name }) => name !== 'client_id');
  const choices = clients.map(({ id }) => id);
  const words = Object.fromEntries(clients.map(({ id, name }) => [id, name]));
  return facts.map((field) =>
    field.name === 'client_id' ? { ...field, kind: 'choice', choices, words } : field,
  );
}
