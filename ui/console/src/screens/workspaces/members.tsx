import type { Member } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { Place } from '../../parts/place.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DEFAULT_WORKSPACE } from './default.ts';

const COLUMNS: readonly Column<Member>[] = [
  {
    title: 'user',
    cell: ({ user_id: id }) => (
      <Place to={`/users/${id}`}>
        <Id id={id} />
      </Place>
    ),
  },
  { title: 'tools', cell: (member) => <Remove member={member} /> },
];

export function MemberTable({ workspaceId }: { readonly workspaceId: string }) {
  const { say } = useTexts();
  const { can } = useCaller();
  return (
    <>
      {can('write:workspaces') && <Addition workspaceId={workspaceId} />}
      <Table
        route="workspaces.list_members"
        label={say('members')}
        columns={COLUMNS}
        keyOf={({ user_id: id }) => id}
        params={{ workspace_id: workspaceId }}
        empty={<p>{say('membersEmpty')}</p>}
      />
    </>
  );
}

function Addition({ workspaceId }: { readonly workspaceId: string }) {
  const { say } = useTexts();
  const toast = useToast();
  const [userId, setUserId] = useState('');
  const change = useChange(useTenant(), 'workspaces.add_member', () => {
    setUserId('');
    toast(say('memberAdded'));
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ params: { workspace_id: workspaceId, user_id: userId.trim() } });
  };
  return (
    <>
      <form className="filters" onSubmit={add}>
        <label>
          {say('userId')}
          <input
            className="input"
            required
            value={userId}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setUserId(event.target.value)}
          />
        </label>
        <Button type="submit" disabled={change.isPending}>
          {say('memberAdd')}
        </Button>
      </form>
      {change.error && <ProblemNote problem={change.error} route="workspaces.add_member" />}
    </>
  );
}

function Remove({ member: { user_id: userId, workspace_id: id } }: { readonly member: Member }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:workspaces') || id === DEFAULT_WORKSPACE) return null;
  return (
    <Action
      route="workspaces.remove_member"
      input={{ params: { workspace_id: id, user_id: userId } }}
      verb={say('removeFactor')}
      title={say('memberRemoveTitle')}
      done={say('memberRemoved')}
      isSmall
    >
      <Id id={userId} />
    </Action>
  );
}
