import type { ApiKey } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { keysLike } from './leaked.ts';

const SHOWN = { body: { key: '…' } };

/** Reports a leaked key. The report revokes the key, and then its record is searched for. */
export function LeakReport() {
  const { say } = useTexts();
  const { found, unread, error, isPending, report } = useReport();
  return (
    <Page
      title={say('leak')}
      about={say('leakHint')}
      from={{ to: '/agents', title: say('agents') }}
    >
      <form className="card stack narrow" onSubmit={report}>
        <label className="field">
          <strong>{say('leakKey')}</strong>
          <input
            className="input mono"
            dir="ltr"
            type="password"
            name="key"
            required
            maxLength={256}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <div className="actions">
          <Button type="submit" kind="bad" disabled={isPending}>
            {say('leakReport')}
          </Button>
        </div>
        {error && <ProblemNote problem={error} route="apikeys.report" />}
        {unread && (
          <ProblemNote problem={unread.problem} route="apikeys.list" onRetry={unread.retry} />
        )}
        <div role="status">{found && <Found keys={found} />}</div>
        <ApiCall route="apikeys.report" input={SHOWN} />
      </form>
    </Page>
  );
}

/** Why the key's record could not be read. The key is revoked, if it exists. */
interface Unread {
  readonly problem: Problem;
  readonly retry: () => void;
}

function useReport() {
  const tenant = useTenant();
  const change = useChange(tenant, 'apikeys.report');
  const [found, setFound] = useState<readonly ApiKey[] | undefined>();
  const [unread, setUnread] = useState<Unread | undefined>();
  const report = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form).get('key');
    const key = typeof typed === 'string' ? typed.trim() : '';
    form.reset();
    setFound(undefined);
    setUnread(undefined);
    const find = async () => {
      const read = (cursor: string | undefined) =>
        call(tenant, 'apikeys.list', { query: { limit: 100, ...(cursor && { cursor }) } });
      // Forgets the request, which contains the key. Only a repeated search keeps the key.
      change.reset();
      try {
        setFound(await keysLike(key, read));
        setUnread(undefined);
      } catch (thrown) {
        setUnread({ problem: asProblem(thrown), retry: () => void find() });
      }
    };
    change.mutate({ body: { key } }, { onSuccess: () => void find() });
  };
  return { found, unread, error: change.error, isPending: change.isPending, report };
}

function Found({ keys }: { readonly keys: readonly ApiKey[] }) {
  const { say, name } = useTexts();
  if (keys.length === 0) return <p>{say('leakUnknown')}</p>;
  return (
    <>
      <p>{say('leakFound')}</p>
      <ul className="chipless">
        {keys.map(({ id, name: called, agent_id: agent, last_used_at: at }) => (
          <li key={id}>
            <Place to={`/agents/${agent}`}>
              <bdi>{called}</bdi>
            </Place>{' '}
            <State word={name('leaked')} tone="bad" />{' '}
            <span className="muted">{say('lastUsed')}</span> <Time at={at} />
          </li>
        ))}
      </ul>
    </>
  );
}
