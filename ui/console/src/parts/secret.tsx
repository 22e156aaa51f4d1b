import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { QuestionDialog } from './dialog.tsx';
import { saveAs } from './save.ts';

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Name of the file to save the secret to. */
  readonly fileName: string;
  readonly onStored: () => void;
}

/** Shows a secret once, until the user confirms that they have stored it. */
export function Secret({ title, secret, fileName, onStored }: Props) {
  const { say } = useTexts();
  const [isStored, setStored] = useState(false);
  // Neither Back nor the palette removes it, and the browser asks before the user leaves the page.
  useBlocker({ shouldBlockFn: () => !isStored });
  return (
    <QuestionDialog title={title} isOpen>
      <p>{say('secretHint')}</p>
      <p className="secret mono" dir="ltr">
        {secret}
      </p>
      <div className="chips">
        <Copy text={secret} />
        <Button
          isSmall
          icon="download"
          onClick={() => saveAs(fileName, new Blob([`${secret}\n`], { type: 'text/plain' }))}
        >
          {say('download')}
        </Button>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isStored}
          onChange={(event) => setStored(event.target.checked)}
        />
        {say('secretKept')}
      </label>
      <div className="actions">
        <Button kind="solid" disabled={!isStored} onClick={onStored}>
          {say('close')}
        </Button>
      </div>
    </QuestionDialog>
  );
}
