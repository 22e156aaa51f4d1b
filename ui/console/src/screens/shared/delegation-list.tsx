import type { AgentDependents } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Time } from '../../parts/time.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Subject } from './subject.tsx';

type Delegations = AgentDependents['delegations'];
const TITLES: readonly TextKey[] = ['user', 'agent', 'scopes', 'expires'];

/** Shows who acts for whom: the newest delegations, and their number. */
export function DelegationList({ delegations }: { readonly delegations: Delegations }) {
  const { say } = useTexts();
  const { items, total } = delegations;
  if (total === 0) return <div className="note">{say('delegationsEmpty')}</div>;
  return (
    <Card title={say('delegations')}>
      <table className="table" role="table" aria-label={say('delegations')}>
        <thead role="rowgroup">
          <tr role="row">
            {TITLES.map((title) => (
              <th key={title} role="columnheader" scope="col">
                {say(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map(({ id, user_id: user, agent_id: agent, scopes, expires_at: at }) => (
            <tr key={id} role="row">
              <td role="cell">
                <Subject id={user} />
              </td>
              <td role="cell" data-label={say('agent')}>
                <Subject id={agent} />
              </td>
              <td role="cell" data-label={say('scopes')}>
                <Scopes scopes={scopes} most={3} />
              </td>
              <td role="cell" data-label={say('expires')}>
                <Time at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > items.length && (
        <p className="muted">{say('andMore', { count: total - items.length })}</p>
      )}
    </Card>
  );
}
