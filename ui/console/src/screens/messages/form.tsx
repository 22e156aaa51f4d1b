import type { MessageTemplate } from '@keywright/sdk';
import type { FormEvent } from 'react';
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
import { directionOf } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** The typed text that is not stored yet. */
export interface Draft {
  readonly subject: string;
  readonly text: string;
}

interface Props {
  readonly template: MessageTemplate;
  readonly draft: Draft | undefined;
  /** Called with the draft as the user types; undefined: the draft was discarded. */
  readonly onDraft: (draft: Draft | undefined) => void;
}

export function TemplateForm({ template, draft, onDraft }: Props) {
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
          <Fields template={template} draft={draft} onDraft={onDraft} />
          {/* Outside the form, which would otherwise handle the events of its dialog. */}
          {!isShipped && <TakeBack template={template} onDone={() => onDraft(undefined)} />}
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

function Fields({ template, draft, onDraft }: Props) {
  const { say } = useTexts();
  const { kind, locale } = template;
  const control = { lang: locale, dir: directionOf(locale), required: true };
  const toast = useToast();
  const { subject, text } = draft ?? template;
  const put = useChange(useTenant(), 'messaging.put_template', () => toast(say('saved')));
  const wrong = put.error?.code === 'TEMPLATE_INVALID' ? put.error : undefined;
  const input = { params: { kind, locale }, body: { subject, text } };
  const send = (event: FormEvent) => {
    event.preventDefault();
    // Discards the draft once the template was read again, so that the previous text does not reappear for a moment.
    const onSuccess = () => onDraft(undefined);
    if (!put.isPending) put.mutate(input, { onSuccess });
  };
  return (
    <form className="form" onSubmit={send}>
      <TypedField
        label={say('subject')}
        value={subject}
        onType={(next) => onDraft({ subject: next, text })}
        control={{ ...control, maxLength: 255 }}
      />
      <TypedField
        label={say('messageText')}
        value={text}
        onType={(next) => onDraft({ subject, text: next })}
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

interface TakeBackProps extends Pick<Props, 'template'> {
  readonly onDone: () => void;
}

function TakeBack({ template: { kind, locale }, onDone }: TakeBackProps) {
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
