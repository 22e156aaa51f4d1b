import type { User } from '@keywright/sdk';
import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { isolated } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { FieldForm } from './field-form.tsx';

interface Props {
  readonly user: User;
  /** If absent, a field is added. */
  readonly name?: string;
}

/** A button that opens a form for the value of a field. */
export function FieldDialog({ user, name }: Props) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const verb = name === undefined ? say('fieldAdd') : say('change');
  const title = name === undefined ? verb : `${verb} ${isolated(name)}`;
  return (
    <>
      <Button isSmall aria-label={title} onClick={() => setOpen(true)}>
        {verb}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} isForm>
        <FieldForm user={user} {...(name !== undefined && { name })} onClose={close} />
      </Dialog>
    </>
  );
}
