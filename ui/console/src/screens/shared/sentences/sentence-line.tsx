import { Fragment, type ReactNode, use } from 'react';
import { Address } from '../../../parts/address.tsx';
import { Avatar } from '../../../parts/avatar.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { UserNames } from '../../../parts/user-name.tsx';
import type { SentenceKey, Sentences } from '../../../texts/sentences.ts';
import { directionOf, formatMessage, formatNames } from '../../../texts/format.ts';
import { useTexts, useWords } from '../../../texts/texts.tsx';
import { deviceText } from '../device.ts';
import { iconOf } from './kind-icon.ts';
import type { Detail, Named, Sentence } from './sentence.ts';
import { useSentences } from './use-sentences.ts';

interface Props {
  readonly sentence: Sentence;
  /** The action or the type of the event, for the icon. */
  readonly type: string;
  /** Whether the action failed. */
  readonly isBad?: boolean;
}

/** A sentence about what happened, with the face of the actor and an icon of what it is about. */
export function SentenceLine({ sentence, type, isBad = false }: Props) {
  return (
    <span className="happened">
      <Face sentence={sentence} type={type} isBad={isBad} />
      <span className="sentence">
        <SentenceText sentence={sentence} />
      </span>
    </span>
  );
}

/** The sentence with its details. */
export function SentenceText({ sentence }: { readonly sentence: Sentence }) {
  const sentences = useSentences();
  if (!sentences) return null;
  const { key, places, details } = sentence;
  const parts = sentences[key].split(/\{(\w+)\}/);
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={`${at} ${part}`}>
          {at % 2 === 0 ? part : <Name named={places[part]} sentences={sentences} />}
        </Fragment>
      ))}
      {details.map((detail) => (
        <span key={JSON.stringify(detail)} className="muted">
          {' · '}
          <DetailText detail={detail} sentences={sentences} />
        </span>
      ))}
    </>
  );
}

function Name({
  named,
  sentences,
}: {
  readonly named: Named | undefined;
  readonly sentences: Sentences;
}): ReactNode {
  const { text, isNoun } = useNameOf(named, sentences);
  return isNoun ? (
    text
  ) : (
    <b>
      <Address text={text} />
    </b>
  );
}

/** Returns the name to show, and whether it is a word of the language instead of a name. */
function useNameOf(
  named: Named | undefined,
  sentences: Sentences | undefined,
): { readonly text: string; readonly isNoun: boolean } {
  const { locale } = useTexts();
  const names = use(UserNames);
  const noun = (key: SentenceKey) => ({ text: sentences?.[key] ?? '', isNoun: true });
  if (!named) return noun('noun.none');
  if ('text' in named) return { text: named.text, isNoun: false };
  if ('region' in named) {
    const regions = new Intl.DisplayNames([locale], { type: 'region' });
    return { text: regions.of(named.region) ?? named.region, isNoun: false };
  }
  if ('noun' in named) return noun(named.noun);
  const name = names.get(named.id) ?? named.usual;
  if (name !== undefined) return { text: name, isNoun: false };
  const tail = named.id.slice(-6);
  const unnamed = sentences?.[nounOf(named.id)] ?? '';
  return { text: formatMessage(locale, unnamed, { tail }), isNoun: false };
}

function nounOf(id: string): SentenceKey {
  if (id.startsWith('user:')) return 'noun.user';
  if (id.startsWith('service:')) return 'noun.agent';
  return id.startsWith('client_') ? 'noun.app' : 'noun.other';
}

function DetailText({
  detail,
  sentences,
}: {
  readonly detail: Detail;
  readonly sentences: Sentences;
}): ReactNode {
  const { locale, say } = useTexts();
  if ('device' in detail) {
    return <bdi dir={directionOf(locale)}>{deviceText(detail.device, say)}</bdi>;
  }
  if ('text' in detail) return <bdi>{detail.text}</bdi>;
  if ('words' in detail) return sentences[detail.words];
  if ('for' in detail) return <OnBehalf of={detail.for} sentences={sentences} />;
  if ('times' in detail) {
    return formatMessage(locale, sentences['detail.times'], { count: detail.times });
  }
  if ('fields' in detail) return <Changed {...detail} sentences={sentences} />;
  const names = formatNames(locale, detail.names);
  return formatMessage(locale, sentences[detail.list], { names });
}

interface ChangedProps {
  readonly fields: readonly string[];
  readonly of: string;
  readonly sentences: Sentences;
}

/** Names fields as the form of the record does. */
function Changed({ fields, of, sentences }: ChangedProps) {
  const { locale, name } = useTexts();
  const { labelOf } = useWords();
  const words = fields.map((field) => {
    const label = labelOf({ of, name: field });
    return label === field ? name(field) : label;
  });
  return formatMessage(locale, sentences['detail.fields'], { names: formatNames(locale, words) });
}

function OnBehalf({ of, sentences }: { readonly of: Named; readonly sentences: Sentences }) {
  const { locale } = useTexts();
  const { text } = useNameOf(of, sentences);
  return formatMessage(locale, sentences['detail.for'], { name: text });
}

/** The face of who acted, with the icon of the kind at its corner. */
function Face({ sentence: { face }, type, isBad }: Required<Props>) {
  const { text, isNoun } = useNameOf(face, useSentences());
  const icon = <Icon name={iconOf(type)} />;
  if (isNoun || !('id' in face)) {
    return <span className={`avatar square plain${isBad ? ' bad' : ''}`}>{icon}</span>;
  }
  return (
    <span className="face">
      <Avatar id={face.id} name={text} isSquare={!/^(?:user:|inv_)/.test(face.id)} />
      <span className={isBad ? 'kind bad' : 'kind'}>{icon}</span>
    </span>
  );
}
