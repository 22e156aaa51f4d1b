import type { User } from '@keywright/sdk';
import { useState } from 'react';
import { nameOfUser } from '../../api/users.ts';
import { userUpdate } from '../../generated/facts.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { MenuItem, useMenuDialog } from '../../parts/menu.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { usePasswordFacts } from './password-facts.ts';

const PASSWORD = ['password'];

interface Props {
  readonly user: User;
}

/** A button, or an item of a menu, that sets the password of a user in a dialog. */
export function SetPassword({ user }: Props) {
  const { say } = useTexts();
  const showDialog = useMenuDialog();
  const [isOpen, setOpen] = useState(false);
  if (showDialog) {
    const close = () => showDialog(undefined);
    const open = () => showDialog(<PasswordDialog user={user} isOpen onClose={close} />);
    return (
      <MenuItem icon="lock" onChoose={open}>
        {say('setPassword')}
      </MenuItem>
    );
  }
  return (
    <>
      <Button icon="lock" onClick={() => setOpen(true)}>
        {say('setPassword')}
      </Button>
      <PasswordDialog user={user} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface DialogProps extends Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function PasswordDialog({ user, isOpen, onClose }: DialogProps) {
  const { say } = useTexts();
  return (
    <Dialog title={say('setPassword')} isOpen={isOpen} onClose={onClose} isForm>
      <PasswordForm user={user} onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ user, onClose }: Omit<DialogProps, 'isOpen'>) {
  const { say } = useTexts();
  const toast = useToast();
  return (
    <>
      <p className="muted">{say('setPasswordHint')}</p>
      <ContractForm
        route="users.update"
        facts={usePasswordFacts(userUpdate)}
        fields={PASSWORD}
        params={{ user_id: user.id }}
        present={{}}
        username={nameOfUser(user)}
        submit={say('save')}
        onCancel={onClose}
        onDone={() => {
          toast(say('saved'));
          onClose();
        }}
      />
    </>
  );
}
