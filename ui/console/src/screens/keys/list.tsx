import type { SigningKey } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { courseOf } from './course.ts';
import { KeyTimeline } from './timeline.tsx';

/** More than a tenant has, because retired keys are deleted. */
const ALL = { query: { limit: 100 } };

const ALGORITHMS = ['EdDSA', 'RS256', 'ES256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export function SigningKeyList() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'keys.list', ALL);
  return (
    <Page title={say('signingKeys')} about={say('signingKeysHint')}>
      <Loaded query={query} route="keys.list" rows={10}>
        {({ items }) => (
          <div className="stack">
            {ALGORITHMS.map((algorithm) => (
              <AlgorithmCard key={algorithm} algorithm={algorithm} signingKeys={items} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface CardProps {
  readonly algorithm: Algorithm;
  readonly signingKeys: readonly SigningKey[];
}

/** The keys of an algorithm. They are created when an application first needs one. */
function AlgorithmCard({ algorithm, signingKeys }: CardProps) {
  const { say } = useTexts();
  const course = courseOf(algorithm, signingKeys);
  const hasKeys = course.length > 0;
  return (
    <Card
      title={algorithm}
      about={say(`algorithm.${algorithm}`)}
      actions={hasKeys ? <Rotations algorithm={algorithm} /> : undefined}
    >
      {hasKeys ? <KeyTimeline course={course} /> : <p className="muted">{say('keysNone')}</p>}
    </Card>
  );
}

function Rotations({ algorithm }: Pick<CardProps, 'algorithm'>) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:keys')) return null;
  return (
    <>
      <Action
        route="keys.rotate"
        input={{ query: { algorithm } }}
        icon="refresh-cw"
        verb={say('rotateNamed', { name: algorithm })}
        title={say('rotateTitle', { name: algorithm })}
        done={say('rotated', { name: algorithm })}
        isBad={false}
        isSmall
      >
        <p>{say('rotateSigningHint')}</p>
      </Action>
      <Menu label={say('moreOf', { name: algorithm })} isSmall>
        <Action
          route="keys.rotate"
          input={{ query: { algorithm, immediately: true } }}
          icon="triangle-alert"
          verb={say('rotateNamedNow', { name: algorithm })}
          title={say('rotateNowTitle', { name: algorithm })}
          done={say('rotated', { name: algorithm })}
          typed={algorithm}
        >
          <p>{say('rotateNowHint')}</p>
        </Action>
      </Menu>
    </>
  );
}
