import type { SigningKey } from '@keywright/sdk';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { KeyState, KeyTimeline, Tokens } from './timeline.tsx';

const COLUMNS: readonly Column<SigningKey>[] = [
  { title: 'id', cell: ({ id }) => <Id id={id} /> },
  { title: 'algorithm', cell: ({ algorithm }) => algorithm },
  { title: 'state', cell: ({ state }) => <KeyState state={state} /> },
  { title: 'signsFrom', cell: ({ signs_from: at }) => <Time at={at} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (key) => <Retirement signingKey={key} /> },
];

/** The same as the first page of the list, so that both share one request. */
const FIRST = { query: { limit: 25 } };

export function SigningKeyList() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'keys.list', FIRST);
  return (
    <Page title={say('signingKeys')} about={say('signingKeysHint')} actions={<Rotations />}>
      {/* Loaded together, so that the timeline does not push the list down. */}
      <Loaded query={query} route="keys.list" rows={10}>
        {({ items }) => (
          <div className="stack">
            <KeyTimeline signingKeys={items} />
            <Table
              route="keys.list"
              label={say('signingKeys')}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              empty={<p>{say('signingKeysHint')}</p>}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const ALGORITHMS = ['EdDSA', 'RS256', 'ES256'] as const;

function Rotations() {
  const { say } = useTexts();
  const { can } = useCaller();
  const [algorithm, setAlgorithm] = useState<SigningKey['algorithm']>('EdDSA');
  if (!can('write:keys')) return null;
  return (
    <>
      <span>
        <select
          aria-label={say('algorithm')}
          className="select"
          value={algorithm}
          onChange={({ target }) =>
            setAlgorithm(ALGORITHMS.find((name) => name === target.value) ?? 'EdDSA')
          }
        >
          {ALGORITHMS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </span>
      <Action
        route="keys.rotate"
        input={{ query: { algorithm } }}
        icon="refresh-cw"
        verb={say('rotate')}
        title={say('rotateTitle', { name: algorithm })}
        done={say('rotated', { name: algorithm })}
        isBad={false}
      >
        <p>{say('rotateSigningHint')}</p>
      </Action>
      <Action
        route="keys.rotate"
        input={{ query: { algorithm, immediately: true } }}
        verb={say('rotateNow')}
        title={say('rotateNowTitle', { name: algorithm })}
        done={say('rotated', { name: algorithm })}
        typed={algorithm}
      >
        <p>{say('rotateNowHint')}</p>
      </Action>
    </>
  );
}

/** The current key cannot be retired, because another one must sign first. */
function Retirement({ signingKey }: { readonly signingKey: SigningKey }) {
  const { id, state } = signingKey;
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('delete:keys') || state === 'current' || state === 'retired') return null;
  return (
    <Action
      route="keys.retire"
      input={{ params: { key_id: id } }}
      verb={say('retire')}
      title={say('retireTitle')}
      done={say('retired')}
      typed={id}
      isSmall
    >
      <p>{say('retireHint')}</p>
      <Tokens signingKey={signingKey} />
    </Action>
  );
}
