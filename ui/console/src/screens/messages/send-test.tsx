import type { MessageKind } from '@keywright/contract/messages';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { tenantMail } from '../../generated/facts.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { withoutSecrets } from '../../parts/form/values.ts';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { Place } from '../../parts/place.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { Outcome } from './outcome.tsx';

interface Props {
  readonly kind: MessageKind;
  readonly locale: string;
  /** Email settings that are not saved yet. */
  readonly email?: Readonly<Record<string, unknown>>;
}

/** Kinds that also exist as a text message. */
const BY_SMS: readonly MessageKind[] = ['login', 'verification'];

const ADDRESS = { dir: 'ltr', maxLength: 254, autoComplete: 'email', spellCheck: false } as const;

/** Sends a message to the address of the logged-in user, unless they type another one. */
export function SendTest({ kind, locale, email }: Props) {
  const { say } = useTexts();
  const { can, name, identifier = name } = useCaller();
  const toast = useToast();
  const [typed, setTyped] = useState<string>();
  const test = useChange(useTenant(), 'messaging.test', () => toast(say('testQueued')));
  if (!can('write:tenant')) return null;
  const to = typed ?? (identifier.includes('@') ? identifier : '');
  const input = { body: { to: to.trim(), kind, locale, ...(email && { email }) } };
  const wrong = test.error?.errors.find(({ path }) => path === '/to')?.message;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!test.isPending) test.mutate(input);
  };
  return (
    <Card title={say('testSend')}>
      <form className="form narrow" onSubmit={send}>
        <TypedField
          label={say(BY_SMS.includes(kind) ? 'identifier' : 'testTo')}
          value={to}
          onType={setTyped}
          error={wrong}
          control={{ ...ADDRESS, required: true }}
        />
        <p className="muted">
          {say(email ? 'testUnsaved' : 'testHint')}{' '}
          <Place to="/messages" search={{ tab: 'log' }}>
            {say('messageLog')}
          </Place>
        </p>
        {test.error && !wrong && <ProblemNote problem={test.error} route="messaging.test" />}
        <div className="actions">
          <Button type="submit" disabled={test.isPending}>
            {say('testSend')}
          </Button>
        </div>
        {test.data && <Outcome id={test.data.id} />}
        <ApiCall route="messaging.test" input={withoutSecrets(input, tenantMail, 'email')} />
      </form>
    </Card>
  );
}
