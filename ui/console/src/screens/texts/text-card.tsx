import type { Text } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { directionOf } from '../../texts/format.ts';
import { type Locale, nameOfLanguage } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { TextState } from './list.tsx';

interface Props {
  readonly name: string;
  readonly locale: Locale;
  /** Called with the text as the user types. */
  readonly onDraft: (text: string) => void;
}

/** A text in one language: the built-in one, and its replacement. */
export function TextCard({ name, locale, onDraft }: Props) {
  const params = { locale, key: name };
  const query = useCall(useTenant(), 'branding.get_text', { params });
  return (
    <Loaded query={query} route="branding.get_text" rows={4}>
      {(text) => (
        <Card title={nameOfLanguage(locale)} actions={<TextState text={text} />}>
          <div className="stack">
            <Shipped text={text} />
            <Change key={text.text ?? ''} text={text} onDraft={onDraft} />
            {/* Outside the form, which would otherwise handle the events of its dialog. */}
            {text.text !== null && <TakeBack text={text} />}
          </div>
        </Card>
      )}
    </Loaded>
  );
}

function Shipped({ text }: { readonly text: Text }) {
  const { say } = useTexts();
  const { locale, default: usual, english, placeholders, tags } = text;
  const names = [
    ...placeholders.map((placeholder) => `{${placeholder}}`),
    ...tags.map((tag) => `<${tag}>`),
  ];
  return (
    <dl className="facts">
      <dt>{say('text.default')}</dt>
      <dd lang={locale} dir="auto" translate="no">
        {usual}
      </dd>
      {locale !== 'en' && (
        <>
          <dt>{say('textEnglish')}</dt>
          <dd lang="en" dir="auto" translate="no">
            {english}
          </dd>
        </>
      )}
      <dt>{say('textNames')}</dt>
      <dd>
        <Scopes scopes={names} />
      </dd>
    </dl>
  );
}

/** If the service reports one of these errors, the reason is at the field. */
const OF_FIELD = ['TEXT_INVALID', 'VALIDATION_FAILED'];

function Change({ text, onDraft }: { readonly text: Text } & Pick<Props, 'onDraft'>) {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const { locale, key } = text;
  const [typed, setTyped] = useState(text.text ?? '');
  const put = useChange(useTenant(), 'branding.put_text', () => toast(say('saved')));
  if (text.is_fixed) return <p className="muted">{say('textFixedHint')}</p>;
  if (!can('write:tenant')) return null;
  const input = { params: { locale, key }, body: { text: typed.trim() } };
  const wrong = put.error && OF_FIELD.includes(put.error.code) ? put.error : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!put.isPending) put.mutate(input);
  };
  return (
    <form className="form" onSubmit={send}>
      <TypedField
        label={say('textOwn')}
        value={typed}
        onType={(words) => {
          setTyped(words);
          onDraft(words);
        }}
        error={wrong?.message}
        isLong
        control={{
          lang: locale,
          dir: directionOf(locale),
          required: true,
          maxLength: 1000,
          placeholder: text.default,
        }}
      />
      {put.error && !wrong && <ProblemNote problem={put.error} route="branding.put_text" />}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={put.isPending}>
          {say('save')}
        </Button>
      </div>
      <ApiCall route="branding.put_text" input={input} />
    </form>
  );
}

function TakeBack({ text: { locale, key, default: usual } }: { readonly text: Text }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:tenant')) return null;
  return (
    <div>
      <Action
        route="branding.delete_text"
        input={{ params: { locale, key } }}
        verb={say('textTakeBack')}
        title={say('textTakeBackTitle')}
        done={say('textTakenBack')}
        isBad={false}
      >
        <p>{say('textTakeBackHint')}</p>
        <p lang={locale} dir="auto" translate="no">
          {usual}
        </p>
      </Action>
    </div>
  );
}
