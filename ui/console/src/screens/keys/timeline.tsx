import type { SigningKey } from '@keywright/sdk';
import { Action } from '../../parts/action.tsx';
import { Id } from '../../parts/id.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type CourseKey, hasTokens } from './course.ts';

const TONES: Readonly<Record<SigningKey['state'], Tone>> = {
  next: 'info',
  current: 'ok',
  previous: 'plain',
  retired: 'plain',
};

interface Props {
  readonly course: readonly CourseKey[];
}

/** The keys of an algorithm, from the next one to the retired ones, which are folded. */
export function KeyTimeline({ course }: Props) {
  const { say } = useTexts();
  const published = course.filter(({ key }) => key.state !== 'retired');
  const retired = course.filter(({ key }) => key.state === 'retired');
  return (
    <>
      <Moments course={published} />
      {retired.length > 0 && (
        <details>
          <summary>{say('keysRetired', { count: retired.length })}</summary>
          <Moments course={retired} />
        </details>
      )}
    </>
  );
}

function Moments({ course }: Props) {
  const { say } = useTexts();
  return (
    <ol className="course">
      {course.map((item) => (
        <li key={item.key.id}>
          <State word={say(`key.${item.key.state}`)} tone={TONES[item.key.state]} />
          <Sentence item={item} />
          <Id id={item.key.id} />
          <Retirement item={item} />
        </li>
      ))}
    </ol>
  );
}

/** Says when the key signs, and until when its tokens are valid. */
function Sentence({ item: { key, signedUntil } }: { readonly item: CourseKey }) {
  const { say, absolute } = useTexts();
  const { state, signs_from: from, tokens_until: until } = key;
  const at = (moment: string) => absolute(Date.parse(moment));
  if (state === 'next') return <span>{say('keyIsNext', { from: at(from) })}</span>;
  if (signedUntil === undefined) return <span>{say('keyIsCurrent', { from: at(from) })}</span>;
  const signed = say('keySigned', { from: at(from), to: at(signedUntil) });
  const isValid = hasTokens(key, Date.now()) && until !== null;
  const tokens = isValid ? say('keyTokensUntil', { until: at(until) }) : say('keyNoTokens');
  return (
    <span>
      {signed} {tokens}
    </span>
  );
}

/** The current key cannot be retired, because another one must sign first. */
function Retirement({ item }: { readonly item: CourseKey }) {
  const { id, state } = item.key;
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
      <p>
        <Sentence item={item} />
      </p>
    </Action>
  );
}
