import { useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import { commonOf, type InputProps } from './control.ts';
import { generatedPassword } from './generated-password.ts';

/** A password for another person: typed, or generated and then shown. */
export function NewPassword(props: InputProps) {
  const { say } = useTexts();
  const line = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const generate = () => {
    if (!line.current) return;
    line.current.value = generatedPassword();
    setShown(true);
    // The form reads its fields on input events.
    line.current.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return (
    <span className="row">
      <input
        {...commonOf(props)}
        ref={line}
        className={isShown ? 'input mono' : 'input'}
        dir="ltr"
        type={isShown ? 'text' : 'password'}
        maxLength={props.facts.maxLength}
        autoComplete="new-password"
        spellCheck={false}
      />
      <Button onClick={() => setShown(!isShown)} aria-pressed={isShown}>
        {say('showPassword')}
      </Button>
      <Button onClick={generate}>{say('generatePassword')}</Button>
    </span>
  );
}
