import type { AgentDependents, UserDependents } from '@keywright/sdk';
import { Fragment } from 'react';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { Id } from './id.tsx';

type Dependents = Partial<Pick<UserDependents, 'sessions' | 'agents'>> &
  Pick<AgentDependents, 'api_keys' | 'delegations'>;

const KINDS: readonly (readonly [keyof Dependents, TextKey])[] = [
  ['sessions', 'sessions'],
  ['agents', 'agents'],
  ['api_keys', 'apiKeys'],
  ['delegations', 'delegations'],
];
const SHOWN = 5;

/** Shows what ends with a user or an agent: all records are counted, the newest are shown. */
export function DependentList({ dependents }: { readonly dependents: Dependents }) {
  const { say, number } = useTexts();
  const parts = KINDS.flatMap(([kind, title]) => {
    const part = dependents[kind];
    return part && part.total > 0 ? [{ kind, title, part }] : [];
  });
  if (parts.length === 0) return <p className="muted">{say('nothingDepends')}</p>;
  return (
    <dl className="facts">
      {parts.map(({ kind, title, part }) => (
        <Fragment key={kind}>
          <dt>
            {say(title)}: {number(part.total)}
          </dt>
          <dd>
            <ul className="stack">
              {part.items.slice(0, SHOWN).map((item) => (
                <li key={item.id}>
                  {'name' in item && <bdi>{item.name}</bdi>} <Id id={item.id} />
                </li>
              ))}
            </ul>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
