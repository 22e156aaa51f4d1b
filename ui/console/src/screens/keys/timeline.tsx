import type { SigningKey } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Id } from '../../parts/id.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { byAlgorithm, hasTokens } from './course.ts';

const TONES: Readonly<Record<SigningKey['state'], Tone>> = {
  next: 'brass',
  current: 'ok',
  previous: 'plain',
  retired: 'plain',
};

interface Props {
  readonly signingKey: SigningKey;
}

/** Shows which key signs, and from when until when, for each algorithm. */
export function KeyTimeline({ signingKeys }: { readonly signingKeys: readonly SigningKey[] }) {
  return byAlgorithm(signingKeys).map(({ algorithm, keys }) => (
    <Card key={algorithm} title={algorithm}>
      <ol className="course">
        {keys.map((key) => (
          <Moment key={key.id} signingKey={key} />
        ))}
      </ol>
    </Card>
  ));
}

function Moment({ signingKey }: Props) {
  const { say } = useTexts();
  const { id, state, signs_from: from } = signingKey;
  return (
    <li>
      <KeyState state={state} />
      <Id id={id} />
      <span>
        {say(state === 'next' ? 'signsFrom' : 'signedFrom')}: <Time at={from} isWhole />
      </span>
      <Tokens signingKey={signingKey} />
    </li>
  );
}

export function KeyState({ state }: Pick<SigningKey, 'state'>) {
  const { say } = useTexts();
  return <State word={say(`key.${state}`)} tone={TONES[state]} />;
}

/** Shows whether a token that the key signed can still be valid. */
export function Tokens({ signingKey }: Props) {
  const { say } = useTexts();
  if (!hasTokens(signingKey, Date.now()))
    return <span className="muted">{say('keyNoTokens')}</span>;
  const { tokens_until: until } = signingKey;
  if (until === null) return <span>{say('keyTokens')}</span>;
  return (
    <span>
      {say('keyTokensUntil')}: <Time at={until} isWhole />
    </span>
  );
}
