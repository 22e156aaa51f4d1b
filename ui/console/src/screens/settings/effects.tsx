import type { TenantEffect } from '@keywright/contract/routes/tenants';
import { useEffect, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import type { Input, InputOf } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import type { Body } from '../../parts/form/values.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** A pause in typing. */
const PAUSE_MS = 400;

interface Props {
  /** The tenant to change. */
  readonly id: string;
  readonly draft: Body;
}

/** Shows which users a change would affect, before it is saved. The service computes this and changes nothing. */
export function Effects({ id, draft }: Props) {
  const tenant = useTenant();
  const { can } = useCaller();
  const body = useSettled(draft);
  const input: Input = { params: { tenant_id: id }, query: { dry_run: true }, body };
  const isChange = (can('write:tenant') || can('write:logins')) && hasFields(body);
  const trial = useCall(tenant, 'tenants.update', input as InputOf<'tenants.update'>, isChange);
  // The service's errors are shown at the fields when the user saves.
  if (!isChange || !trial.data || !('affected' in trial.data)) return null;
  return <Affected affected={trial.data.affected} />;
}

interface Effect {
  readonly setting: string;
  readonly users: number;
  readonly code: TenantEffect;
}

function Affected({ affected }: { readonly affected: readonly Effect[] }) {
  const { say } = useTexts();
  return (
    <div role="status">
      <Card title={say('effects')}>
        <EffectList affected={affected} />
      </Card>
    </div>
  );
}

/** Shows which users a change would affect, in a dialog. */
export function AffectedUsers({ id, change }: { readonly id: string; readonly change: Body }) {
  const input: Input = { params: { tenant_id: id }, query: { dry_run: true }, body: change };
  const { data } = useCall(useTenant(), 'tenants.update', input as InputOf<'tenants.update'>);
  if (!data || !('affected' in data)) return null;
  const affected = data.affected.filter(({ users }) => users > 0);
  return affected.length === 0 ? null : <EffectList affected={affected} />;
}

function EffectList({ affected }: { readonly affected: readonly Effect[] }) {
  const { say } = useTexts();
  const { labelOf } = useWords();
  if (affected.length === 0) return <p>{say('effectsNone')}</p>;
  return (
    <ul className="checks">
      {affected.map(({ setting, users, code }) => (
        <li key={`${setting} ${code}`}>
          <strong>{say('affected', { count: users })}</strong>
          <span>
            {labelOf({ of: 'config', name: setting })}: {say(`effect.${code}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function hasFields(body: Body): boolean {
  return Object.values(body).some((value) =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : value !== undefined,
  );
}

/** Returns the draft once it has not changed for a moment. */
function useSettled(draft: Body): Body {
  const [settled, setSettled] = useState(draft);
  const text = JSON.stringify(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
