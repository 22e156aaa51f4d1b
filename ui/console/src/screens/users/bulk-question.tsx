import type { User } from '@keywright/sdk';
import { useEffect, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { TypedName } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { YouNote } from '../shared/you-note.tsx';
import type { Verb } from './bulk-verbs.ts';
import { runEach } from './bulk-run.ts';
import { type Choice, KINDS, NOTHING, type Sum, withDependents } from './bulk-work.ts';

const TITLES = {
  sessions: 'sessions',
  agents: 'agents',
  api_keys: 'apiKeys',
  delegations: 'delegations',
} as const;
const MIN_REASON = 3;
const MAX_REASON = 512;

interface Props {
  readonly verb: Verb;
  readonly users: readonly User[];
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
  /** Called with whether all required input is complete. */
  readonly onReady: (isReady: boolean) => void;
}

/** Shows what the action means for all users, and asks for the required input. */
export function BulkQuestion({ verb, users, choice, onChoose, onReady }: Props) {
  const { say } = useTexts();
  const { id } = useCaller();
  const [typed, setTyped] = useState('');
  const isEnd = verb === 'disable' || verb === 'delete';
  const { sum, done } = useDependents(users, isEnd);
  const expected = String(users.length);
  const isReady =
    (!isEnd || sum !== undefined) &&
    (verb !== 'giveRole' || choice.role !== '') &&
    (verb !== 'disable' || choice.reason.trim().length >= MIN_REASON) &&
    (verb !== 'delete' || typed.trim() === expected);
  useEffect(() => onReady(isReady), [isReady, onReady]);
  return (
    <>
      {verb === 'endSessions' && <p>{say('endSessionsHint')}</p>}
      {isEnd && users.some((user) => user.id === id) && <YouNote text="youAreOneOfThem" />}
      {isEnd && <p>{say('bulkDependents')}</p>}
      {isEnd && !sum && <p role="status">{say('bulkProgress', { done, count: users.length })}</p>}
      {sum && <Facts rows={KINDS.map((kind) => [say(TITLES[kind]), sum[kind]] as const)} />}
      {verb === 'giveRole' && (
        <RoleChoice role={choice.role} onChoose={(role) => onChoose({ ...choice, role })} />
      )}
      {verb === 'disable' && (
        <ReasonField reason={choice.reason} onType={(reason) => onChoose({ ...choice, reason })} />
      )}
      {verb === 'delete' && <TypedName typed={expected} text={typed} onType={setTyped} />}
    </>
  );
}

function ReasonField(props: {
  readonly reason: string;
  readonly onType: (reason: string) => void;
}) {
  const { say } = useTexts();
  return (
    <label className="field">
      <strong>{say('reason')}</strong>
      <input
        className="input"
        value={props.reason}
        required
        minLength={MIN_REASON}
        maxLength={MAX_REASON}
        onChange={(event) => props.onType(event.target.value)}
      />
    </label>
  );
}

function RoleChoice(props: { readonly role: string; readonly onChoose: (role: string) => void }) {
  const { say } = useTexts();
  const roles = useCall(useTenant(), 'roles.list', { query: { limit: 100 } }).data?.items ?? [];
  return (
    <label className="field">
      <strong>{say('filterRole')}</strong>
      <select
        className="select"
        value={props.role}
        onChange={(event) => props.onChoose(event.target.value)}
      >
        <option value="">{say('choose')}</option>
        {roles.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Sums what ends with the users, one after another. A user who cannot be read counts as nothing. */
function useDependents(users: readonly User[], isNeeded: boolean) {
  const tenant = useTenant();
  const [sum, setSum] = useState<Sum | undefined>();
  const [done, setDone] = useState(0);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let present = NOTHING;
    const work = async (user: User) => {
      present = await withDependents(tenant, user, present);
    };
    void runEach(users, { signal, work, onStep: setDone }).then(() => {
      if (!signal.aborted) setSum(present);
    });
    return () => controller.abort();
  }, [tenant, users, isNeeded]);
  return { sum, done };
}
