import type { User } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import type { Problem } from '../../api/problem.ts';
import { Action } from '../../parts/action.tsx';
import { Address } from '../../parts/address.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State, Tag } from '../../parts/state.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { reasonOf } from '../../texts/problems.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface Props {
  readonly user: User;
}

type Identifier = User['identifiers'][number];

const ICONS = { email: 'mail', phone: 'smartphone' } as const;
/** The contract's limit. */
const MOST = 16;

/** The email addresses and phone numbers of a user. The first one is the primary one. */
export function UserIdentifiers({ user }: Props) {
  const { say } = useTexts();
  const mayChange = useCaller().can('write:users');
  const { identifiers } = user;
  return (
    <Card
      title={say('emailsAndPhones')}
      actions={mayChange && identifiers.length < MOST && <Addition user={user} />}
    >
      {identifiers.length === 0 && <p className="muted">{say('noIdentifier')}</p>}
      <ul className="lines" aria-label={say('emailsAndPhones')}>
        {identifiers.map((entry, place) => (
          <li key={entry.identifier}>
            <Icon name={ICONS[entry.type]} />
            <div className="grows id">
              <Address text={entry.identifier} />
              <Copy text={entry.identifier} of={entry.identifier} />
              {place === 0 && <Tag>{say('primary')}</Tag>}
            </div>
            <State
              word={say(entry.verified ? 'verified' : 'unverified')}
              tone={entry.verified ? 'ok' : 'warn'}
            />
            {mayChange && <Changes user={user} entry={entry} isPrimary={place === 0} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface EntryProps extends Props {
  readonly entry: Identifier;
}

interface ChangesProps extends EntryProps {
  readonly isPrimary: boolean;
}

function Changes({ user, entry, isPrimary }: ChangesProps) {
  const { say } = useTexts();
  const caller = useCaller();
  const { identifier, verified } = entry;
  const makePrimary = useMakePrimary({ user, entry });
  // Administrators cannot verify their own identifiers.
  const canVerify = !verified && caller.id !== user.id;
  const canRemove = user.identifiers.length > 1;
  if (isPrimary && !canVerify && !canRemove) return null;
  return (
    <Menu isSmall label={say('actionsOn', { name: identifier })}>
      {!isPrimary && (
        <MenuItem icon="arrow-up" onChoose={makePrimary}>
          {say('makePrimary')}
        </MenuItem>
      )}
      {canVerify && <Verify user={user} entry={entry} />}
      {canRemove && <Remove user={user} entry={entry} />}
    </Menu>
  );
}

/** Returns how to make an identifier the primary one, which can be undone. */
function useMakePrimary({ user, entry }: EntryProps): () => void {
  const texts = useTexts();
  const { say } = texts;
  const toast = useToast();
  const others = user.identifiers.filter((other) => other !== entry);
  const fail = { onError: (problem: Problem) => toast(reasonOf(problem, texts), { isBad: true }) };
  const inputOf = (identifiers: readonly Identifier[]) => ({
    params: { user_id: user.id },
    body: { identifiers: [...identifiers] },
  });
  const undo = useChange(useTenant(), 'users.update');
  const change = useChange(useTenant(), 'users.update', () =>
    toast(say('madePrimary', { name: entry.identifier }), {
      undo: () => undo.mutate(inputOf(user.identifiers), fail),
    }),
  );
  return () => change.mutate(inputOf([entry, ...others]), fail);
}

function Verify({ user, entry }: EntryProps) {
  const { say } = useTexts();
  const identifiers = user.identifiers.map((other) =>
    other === entry ? { ...other, verified: true } : other,
  );
  const name = entry.identifier;
  return (
    <Action
      route="users.update"
      input={{ params: { user_id: user.id }, body: { identifiers } }}
      icon="circle-check"
      verb={say('markVerified')}
      title={say('markVerifiedTitle', { name })}
      done={say('markedVerified', { name })}
      isBad={false}
    >
      <p>{say('markVerifiedHint')}</p>
    </Action>
  );
}

function Remove({ user, entry }: EntryProps) {
  const { say } = useTexts();
  const name = entry.identifier;
  const identifiers = user.identifiers.filter((other) => other !== entry);
  return (
    <Action
      route="users.update"
      input={{ params: { user_id: user.id }, body: { identifiers } }}
      icon="trash-2"
      verb={say('removeFactor')}
      title={say('removeFactorTitle', { name })}
      done={say('factorRemoved', { name })}
    >
      <p>{say('removeIdentifierHint')}</p>
    </Action>
  );
}

const LINE = { dir: 'ltr', maxLength: 254, required: true, autoComplete: 'off' } as const;

function Addition({ user }: Props) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="ghost" isSmall icon="plus" onClick={() => setOpen(true)}>
        {say('add')} <span className="unseen">{say('identifier')}</span>
      </Button>
      <Dialog title={say('addIdentifier')} isOpen={isOpen} onClose={() => setOpen(false)} isForm>
        <AdditionForm user={user} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AdditionForm({ user, onClose }: Props & { readonly onClose: () => void }) {
  const { say } = useTexts();
  const toast = useToast();
  const [text, setText] = useState('');
  const identifier = text.trim();
  const change = useChange(useTenant(), 'users.update', () => {
    toast(say('addedNamed', { name: identifier }));
    onClose();
  });
  const wrong = change.error?.errors.find(({ path }) => path.startsWith('/identifiers'))?.message;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const identifiers = [...user.identifiers, { identifier }];
    change.mutate({ params: { user_id: user.id }, body: { identifiers } });
  };
  return (
    <form className="stack" onSubmit={send}>
      <TypedField
        label={say('identifier')}
        value={text}
        onType={setText}
        hint={say('hint.user.identifier')}
        error={wrong}
        control={LINE}
      />
      {change.error && !wrong && <ProblemNote problem={change.error} route="users.update" />}
      <div className="actions">
        <Button onClick={onClose}>{say('cancel')}</Button>
        <Button type="submit" kind="solid" disabled={change.isPending}>
          {say('add')}
        </Button>
      </div>
    </form>
  );
}
