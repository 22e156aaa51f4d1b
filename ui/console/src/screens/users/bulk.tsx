import type { User } from '@keywright/sdk';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { type Verb, VERBS } from './bulk-verbs.ts';

const SCOPES: Readonly<Record<Verb, string>> = {
  endSessions: 'delete:sessions',
  giveRole: 'write:users',
  disable: 'write:users',
  delete: 'delete:users',
};

const ICONS: Readonly<Record<Verb, IconName>> = {
  endSessions: 'log-out',
  giveRole: 'shield',
  disable: 'ban',
  delete: 'trash-2',
};

interface Props {
  readonly users: readonly User[];
  readonly forget: (ids: readonly string[]) => void;
}

/** Shows how many users are selected, and the actions on them. It remains in view. */
export function BulkBar({ users, forget }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [open, setOpen] = useState<{ readonly verb: Verb; readonly users: readonly User[] }>();
  if (users.length === 0 && !open) return null;
  const count: TextKey = 'selected';
  return (
    <div className="bulk" role="region" aria-label={say(count, { count: users.length })}>
      <strong aria-live="polite">{say(count, { count: users.length })}</strong>
      <div className="actions">
        {VERBS.filter((verb) => can(SCOPES[verb])).map((verb) => (
          <Button
            key={verb}
            kind="ghost"
            icon={ICONS[verb]}
            onClick={() => setOpen({ verb, users })}
          >
            <span className="word">{say(verb)}</span>
          </Button>
        ))}
        <Button
          kind="ghost"
          icon="x"
          label={say('clearSelection')}
          onClick={() => forget(users.map(({ id }) => id))}
        />
      </div>
      {open && (
        <BulkDialog
          verb={open.verb}
          users={open.users}
          onDone={forget}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}
