import type { AgentDependents, UserDependents } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { useRecordNames } from '../../api/users.ts';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SessionLine } from './session-line.tsx';

type Dependents = Partial<Pick<UserDependents, 'sessions' | 'agents' | 'user_id'>> &
  Pick<AgentDependents, 'api_keys' | 'delegations'>;

const SHOWN = 5;

interface Props {
  readonly dependents: Dependents;
}

/** Shows what ends with a user or an agent: all records are counted, the newest are shown. */
export function DependentList({ dependents }: Props) {
  const { say } = useTexts();
  const { sessions, agents, api_keys: keys, delegations, user_id: userId } = dependents;
  const parts = [sessions, agents, keys, delegations];
  if (parts.every((part) => !part || part.total === 0)) {
    return <p className="muted">{say('nothingDepends')}</p>;
  }
  return (
    <dl className="facts narrow">
      <Part title="sessions" total={sessions?.total}>
        {userId !== undefined && <LiveSessions userId={userId} />}
      </Part>
      <Part title="agents" total={agents?.total}>
        {agents?.items.slice(0, SHOWN).map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </Part>
      <Part title="apiKeys" total={keys.total}>
        {keys.items.slice(0, SHOWN).map(({ id, name, prefix }) => (
          <li key={id}>
            <bdi>{name}</bdi> <bdi className="mono muted">{prefix}…</bdi>
          </li>
        ))}
      </Part>
      <Part title="delegations" total={delegations.total}>
        <Delegated delegations={delegations} />
      </Part>
    </dl>
  );
}

interface PartProps {
  readonly title: TextKey;
  readonly total: number | undefined;
  readonly children: ReactNode;
}

function Part({ title, total = 0, children }: PartProps) {
  const { say, number } = useTexts();
  if (total === 0) return null;
  return (
    <>
      <dt>
        {say(title)}: {number(total)}
      </dt>
      <dd>
        <ul className="lines">{children}</ul>
      </dd>
    </>
  );
}

/** The newest live sessions, to callers who can read sessions. */
function LiveSessions({ userId }: { readonly userId: string }) {
  const query = { user_id: userId, is_active: true, limit: SHOWN };
  const isAllowed = useCaller().can('read:sessions');
  const { data } = useCall(useTenant(), 'sessions.list', { query }, isAllowed);
  return data?.items.map((session) => (
    <li key={session.id}>
      <SessionLine session={session} />
    </li>
  ));
}

type Delegations = Dependents['delegations'];

/** The delegations that are shown with what else depends on a record. */
export function newestOf({ items }: Delegations): Delegations['items'] {
  return items.slice(0, SHOWN);
}

/** Returns the names of the agents, and of the users they act for. */
export function useDelegationNames(items: Delegations['items']) {
  const { can } = useCaller();
  return useRecordNames(
    items.flatMap(({ user_id: user, agent_id: agent }) => [user, agent]),
    can,
  );
}

/** The agents and the users they act for. */
function Delegated({ delegations }: Pick<Dependents, 'delegations'>) {
  const { say } = useTexts();
  const items = newestOf(delegations);
  const { names } = useDelegationNames(items);
  return items.map(({ id, user_id: user, agent_id: agent, created_at: at }) => (
    <li key={id}>
      <div className="grows">
        {say('actsFor', {
          agent: names.get(agent) ?? say('agent'),
          user: names.get(user) ?? say('user'),
        })}
      </div>
      <span className="muted">
        <Time at={at} />
      </span>
    </li>
  ));
}
