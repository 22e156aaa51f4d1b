import { useCall } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

const WIDTH = 100;

/** Reads how many users have which second factors. */
export function useProtection() {
  return useCall(useTenant(), 'users.get_protection', {}, useCaller().can('read:users'));
}

interface Props {
  readonly query: ReturnType<typeof useProtection>;
}

/** The shares of users with a passkey, an authenticator app, and neither. */
export function Protection({ query }: Props) {
  const { say } = useTexts();
  if (query.error?.status === 403 || query.data?.users === 0) return null;
  return (
    <Card title={say('protection')}>
      <Loaded query={query} route="users.get_protection" rows={4}>
        {(counts) => <Shares counts={counts} />}
      </Loaded>
    </Card>
  );
}

function Shares({ counts }: { readonly counts: AnswerOf<'users.get_protection'> }) {
  const { say, locale } = useTexts();
  const { users, passkey, authenticator_app: app } = counts;
  const percent = new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: 'percent' });
  const shares = [
    { name: 'passkey', tone: 'safe', count: passkey, title: say('protection.passkey') },
    { name: 'app', tone: 'c2', count: app, title: say('protection.app') },
    { name: 'none', tone: 'unsafe', count: users - passkey - app, title: say('protection.none') },
  ];
  let start = 0;
  return (
    <>
      <svg
        className="share-bar"
        viewBox={`0 0 ${WIDTH} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {shares.map(({ name, tone, count }) => {
          const x = start;
          const width = (count / users) * WIDTH;
          start += width;
          return <rect key={name} className={tone} x={x} width={width} y={0} height={1} />;
        })}
      </svg>
      <ul className="legend column">
        {shares.map(({ name, tone, count, title }) => (
          <li key={name} className={tone}>
            <b>{percent.format(count / users)}</b> {title}
          </li>
        ))}
      </ul>
    </>
  );
}
