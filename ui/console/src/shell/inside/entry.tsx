import { useState } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button, classesOf } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { HOME } from '../../url/home.ts';
import { addressOf } from '../../url/inside.ts';

/** As in the contract. */
const REASON = { minLength: 3, maxLength: 512 };

/** Asks for the reason, which is required to enter a tenant. */
export function Entry({ tenant }: { readonly tenant: string }) {
  const { say } = useTexts();
  const [reason, setReason] = useState('');
  const record = useCall(HOME, 'tenants.get', { params: { tenant_id: tenant } });
  const start = useChange(HOME, 'impersonations.begin');
  const input = { params: { tenant_id: tenant }, body: { reason: reason.trim() } };
  const problem = start.error ?? record.error;
  return (
    <main className="lone">
      <form
        className="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (start.isPending) return;
          start.mutate(input);
        }}
      >
        <h1>
          {say('insideTitle')} <bdi>{record.data?.name ?? tenant}</bdi>
        </h1>
        <p>{say('insideHint')}</p>
        <label className="field">
          <strong>{say('reason')}</strong>
          <input
            className="input"
            name="reason"
            value={reason}
            required
            {...REASON}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        {problem && <ProblemNote problem={problem} />}
        <div className="actions">
          <Button type="submit" kind="solid" disabled={start.isPending}>
            {say('goInside')}
          </Button>
          <a className={classesOf('plain')} href={addressOf(HOME, '/tenants')}>
            {say('tenants')}
          </a>
        </div>
        <ApiCall route="impersonations.begin" input={input} tenant={HOME} />
      </form>
    </main>
  );
}
