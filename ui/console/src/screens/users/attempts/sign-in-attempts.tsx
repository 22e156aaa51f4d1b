import type { User } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../../api/queries.ts';
import { Card } from '../../../parts/card.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { Place } from '../../../parts/place.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { State } from '../../../parts/state.tsx';
import type { Column } from '../../../parts/table/column.ts';
import { ItemTable } from '../../../parts/table/items.tsx';
import { Time } from '../../../parts/time.tsx';
import { useCaller } from '../../../shell/caller.tsx';
import { directionOf } from '../../../texts/format.ts';
import type { SentenceKey } from '../../../texts/sentences.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useTenant } from '../../../url/params.ts';
import { deviceText } from '../../shared/device.ts';
import { useSentences } from '../../shared/sentences/use-sentences.ts';
import { Enable, Recover, Unlock } from '../actions.tsx';
import type { Attempt } from './attempts.ts';
import { useAttempts, useLatestRefusal } from './use-attempts.ts';

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'outcome', cell: (attempt) => <Result attempt={attempt} /> },
  { title: 'loginMethod', cell: ({ method }) => <Method name={method} /> },
  { title: 'device', cell: ({ device }) => <Device parts={device} /> },
  { title: 'ipAddress', cell: ({ address }) => <bdi>{address ?? '–'}</bdi> },
  { title: 'when', cell: ({ at }) => <Time at={at} /> },
];

interface Props {
  readonly user: User;
}

/** How the user signed in, and why they could not. */
export function SignInAttempts({ user }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { attempts, isPending } = useAttempts(user.id);
  if (!can('read:audit')) return null;
  return (
    <Card title={say('signInAttempts')} about={say('attemptsHint')}>
      {isPending ? (
        <Skeleton rows={5} />
      ) : attempts.length === 0 ? (
        <Empty icon="log-in">
          <p>{say('attemptsNone')}</p>
        </Empty>
      ) : (
        <ItemTable
          label={say('signInAttempts')}
          columns={COLUMNS}
          items={attempts}
          keyOf={({ id }) => id}
        />
      )}
    </Card>
  );
}

function Result({ attempt: { refusal, count } }: { readonly attempt: Attempt }) {
  const { say } = useTexts();
  const words = useRefusal(refusal);
  return (
    <>
      <State word={words ?? say('signedIn')} tone={refusal ? 'bad' : 'ok'} />
      {count > 1 && <span className="muted"> · {say('attemptTimes', { count })}</span>}
    </>
  );
}

function Device({ parts }: { readonly parts: Attempt['device'] }) {
  const { say, locale } = useTexts();
  return <bdi dir={directionOf(locale)}>{parts ? deviceText(parts, say) : '–'}</bdi>;
}

function Method({ name }: { readonly name: string | undefined }) {
  const sentences = useSentences();
  return sentences?.[`method.${name}` as SentenceKey] ?? '–';
}

function useRefusal(refusal: SentenceKey | undefined): string | undefined {
  const sentences = useSentences();
  return refusal && (sentences?.[refusal] ?? '…');
}

/** Shows why the latest sign-in was rejected, with the action that helps. Renders nothing if it succeeded. */
export function LatestRefusal({ user }: Props) {
  const { say, locale } = useTexts();
  const latest = useLatestRefusal(user);
  const isLocked = useLocked(user, latest !== undefined);
  const words = useRefusal(latest?.refusal);
  if (!latest || words === undefined) return null;
  const { device, address, at, count } = latest;
  return (
    <div className="note latest-refusal" role="note">
      <p>
        <strong>{say('latestRefused', { reason: words })}</strong>{' '}
        <span className="muted">
          {count > 1 && `${say('attemptTimes', { count })} · `}
          <bdi dir={directionOf(locale)}>
            {[device && deviceText(device, say), address].filter(Boolean).join(' · ')}
          </bdi>{' '}
          · <Time at={at} />
        </span>
        {isLocked && <br />}
        {isLocked && say('signInsBlocked')}
      </p>
      <div className="actions">
        <Help user={user} isLocked={isLocked} />
        <Place to={`/users/${user.id}`} search={{ tab: 'activity' }}>
          {say('signInAttempts')}
        </Place>
      </div>
    </div>
  );
}

/** Whether the user has reached a limit on wrong passwords or codes. */
function useLocked({ id }: User, isRefused: boolean): boolean {
  const input = { params: { user_id: id } };
  const { data } = useCall(useTenant(), 'users.get_locks', input, isRefused);
  return (data?.locks ?? []).length > 0;
}

/** The actions that let the user sign in again. */
function Help({ user, isLocked }: Props & { readonly isLocked: boolean }): ReactNode {
  const { can } = useCaller();
  if (!can('write:users')) return null;
  if (!user.is_active) return <Enable user={user} />;
  return (
    <>
      {isLocked && <Unlock user={user} />}
      <Recover user={user} />
    </>
  );
}
