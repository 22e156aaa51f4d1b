import type { MessageTemplate } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State } from '../../parts/state.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { directionOf } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** What differs from what is stored. */
export interface Draft {
  readonly subject?: string;
  readonly text?: string;
}

interface Props {
  readonly template: MessageTemplate;
  readonly onDraft: (draft: Draft) => void;
  readonly onDone: () => void;
}

export function TemplateForm({ template, onDraft, onDone }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { is_shipped: isShipped } = template;
  const state = (
    <State
      word={say(isShipped ? 'text.default' : 'text.own')}
      tone={isShipped ? 'plain' : 'brass'}
    />
  );
  return (
    <Card title={say('template')} actions={state}>
      {can('write:tenant') ? (
        <div className="stack">
          <Fields template={template} onDraft={onDraft} onDone={onDone} />
          {/* Not within the form, which would hear of what its dialog sends. */}
          {!isShipped && <TakeBack template={template} onDone={onDone} />}
        </div>
      ) : (
        <>
          <p>{template.subject}</p>
          <pre className="json">{template.text}</pre>
        </>
      )}
    </Card>
  );
}

function Fields({ template, onDraft, onDone }: Props) {
  const { say } = useTexts();
  const { kind, locale } = template;
  const control = { lang: locale, dir: directionOf(locale), required: true };
  const toast = useToast();
  const [subject, setSubject] = useState(template.subject);
  const [text, setText] = useState(template.text);
  const put = useChange(useTenant(), 'messaging.put_template', () => {
    onDone();
    toast(say('saved'));
  });
  const wrong = put.error?.code === 'TEMPLATE_INVALID' ? put.error : undefined;
  const input = { params: { kind, locale }, body: { subject, text } };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!put.isPending) put.mutate(input);
  };
  const type = (next: Required<Draft>) => {
    setSubject(next.subject);
    setText(next.text);
    onDraft(next);
  };
  return (
    <form className="form" onSubmit={send}>
      <TypedField
        label={say('subject')}
        value={subject}
        onType={(next) => type({ subject: next, text })}
        control={{ ...control, maxLength: 255 }}
      />
      <TypedField
        label={say('messageText')}
        value={text}
        onType={(next) => type({ subject, text: next })}
        hint={say('messageTextHint')}
        error={wrong?.message}
        isLong
        control={{ ...control, maxLength: 8192 }}
      />
      {put.error && !wrong && <ProblemNote problem={put.error} route="messaging.put_template" />}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={put.isPending}>
          {say('save')}
        </Button>
      </div>
      <ApiCall route="messaging.put_template" input={input} />
    </form>
  );
}

function TakeBack({ template: { kind, locale }, onDone }: Omit<Props, 'onDraft'>) {
  const { say } = useTexts();
  return (
    <div>
      <Action
        route="messaging.delete_template"
        input={{ params: { kind, locale } }}
        verb={say('textTakeBack')}
        title={say('templateTakeBackTitle')}
        done={say('textTakenBack')}
        then={onDone}
        isBad={false}
      >
        <p>{say('textTakeBackHint')}</p>
      </Action>
    </div>
  );
}
