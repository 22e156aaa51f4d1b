import type { Impersonation } from '@keywright/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { isolated } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.tsx';
import { HOME } from '../../url/home.ts';
import { addressOf } from '../../url/inside.ts';

interface Props {
  readonly impersonation: Impersonation;
}

/** Shows which tenant the administrator is inside, as whom, until when and why, and a way to leave. */
export function InsideBar({ impersonation }: Props) {
  const { say, time } = useTexts();
  const { tenant_id: tenant, reason, expires_at: until } = impersonation;
  useEnd(until);
  const name = useCall(HOME, 'tenants.get', { params: { tenant_id: tenant } }).data?.name;
  const me = useCall(HOME, 'me.get', {}).data;
  const who = me && 'identifiers' in me ? me.identifiers[0]?.identifier : undefined;
  const returnHome = () => globalThis.location.assign(addressOf(HOME, `/tenants/${tenant}`));
  const end = useChange(HOME, 'impersonations.end', returnHome);
  const values = {
    tenant: isolated(name ?? tenant),
    who: isolated(who ?? '…'),
    time: time(Date.parse(until)),
    reason: isolated(reason),
  };
  return (
    <aside className="inside" aria-label={say('insideLabel')}>
      <p>{say('insideBar', values)}</p>
      <Button
        isSmall
        disabled={end.isPending}
        onClick={() =>
          // The access ended by itself in the meantime, so the administrator leaves as usual.
          end.mutate({ params: { tenant_id: tenant } }, { onError: returnHome })
        }
      >
        {say('insideEnd')}
      </Button>
    </aside>
  );
}

/** Checks whether the access continues, once it should have ended. */
function useEnd(until: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const rest = Math.max(0, Date.parse(until) - Date.now());
    const refresh = () =>
      void queries.invalidateQueries({ queryKey: [HOME, 'impersonations.list'] });
    const timer = setTimeout(refresh, rest);
    return () => clearTimeout(timer);
  }, [queries, until]);
}
