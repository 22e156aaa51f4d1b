import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type Checked, checkSignature } from './signature.ts';

const CODE = { dir: 'ltr', spellCheck: false, autoComplete: 'off', required: true } as const;
const NOTHING = { secret: '', headers: '', body: '' };

/**
 * Shows what a receiver should conclude about a delivery. It is computed here: neither the secret nor the body is
 * sent.
 */
export function SignatureChecker() {
  const { say } = useTexts();
  const [typed, setTyped] = useState(NOTHING);
  const [checked, setChecked] = useState<Checked>();
  const type = (field: keyof typeof NOTHING) => (text: string) => {
    setTyped((before) => ({ ...before, [field]: text }));
    setChecked(undefined);
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    void checkSignature({ ...typed, secret: typed.secret.trim() }, Date.now()).then(setChecked);
  };
  return (
    <Card title={say('checker')}>
      <form className="form narrow" onSubmit={check}>
        <p className="muted">{say('checkerHint')}</p>
        <TypedField
          label={say('checkerSecret')}
          value={typed.secret}
          onType={type('secret')}
          control={{ ...CODE, placeholder: 'whsec_…' }}
        />
        <TypedField
          label={say('checkerHeaders')}
          value={typed.headers}
          onType={type('headers')}
          isLong
          control={{ ...CODE, placeholder: 'webhook-signature: v1,…' }}
        />
        <TypedField
          label={say('checkerBody')}
          value={typed.body}
          onType={type('body')}
          isLong
          control={{ ...CODE, placeholder: '{"id":"evt_…"}' }}
        />
        <div className="actions">
          <Button type="submit" kind="solid">
            {say('check')}
          </Button>
        </div>
      </form>
      <div role="status">{checked && <Found checked={checked} />}</div>
    </Card>
  );
}

function Found({ checked: { standard, service, age, isOld } }: { readonly checked: Checked }) {
  const { say, relative } = useTexts();
  return (
    <Facts
      rows={[
        ['webhook-signature', <Verdict key="standard" isRight={standard} />],
        ['X-Service-Signature', <Verdict key="service" isRight={service} />],
        [
          'webhook-timestamp',
          age === undefined ? (
            say('checkerMissing')
          ) : (
            <State key="age" word={relative(Date.now() - age * 1000)} tone={isOld ? 'bad' : 'ok'} />
          ),
        ],
      ]}
    />
  );
}

function Verdict({ isRight }: { readonly isRight: boolean | undefined }) {
  const { say } = useTexts();
  if (isRight === undefined) return <span className="muted">{say('checkerMissing')}</span>;
  return (
    <State word={say(isRight ? 'checkerRight' : 'checkerWrong')} tone={isRight ? 'ok' : 'bad'} />
  );
}
