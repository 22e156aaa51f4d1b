import type { Member } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { useUserSearch } from '../../api/users.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { DEFAULT_WORKSPACE } from './default.ts';
import { Subject } from '../shared/subject.tsx';

const COLUMNS: readonly Column<Member>[] = [
  {
    title: 'user',
    isPerson: true,
    cell: ({ user_id: id }) => <Subject id={id} hasFace />,
  },
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
        usersIn={({ user_id: id }) => [id]}
        keyOf={({ user_id: id }) => id}
        actions={{
          nameOf: ({ user_id: id }) => id,
          items: (member) => <Remove member={member} />,
        }}
        params={{ workspace_id: workspaceId }}
        emptyTitle={say('membersEmptyTitle')}
        guide="tenants"
        empty={<p>{say('membersEmpty')}</p>}
      />
    </>
  );
}

function Addition({ workspaceId }: { readonly workspaceId: string }) {
  const { say } = useTexts();
  const toast = useToast();
  const [text, setText] = useState('');
  const change = useChange(useTenant(), 'workspaces.add_member', () => {
    setText('');
    toast(say('memberAdded'));
  });
  const search = useUserSearch((id) =>
    change.mutate({ params: { workspace_id: workspaceId, user_id: id } }),
  );
  const add = (event: FormEvent) => {
    event.preventDefault();
    change.reset();
    search.mutate(text.trim());
  };
  return (
    <>
      <form className="filters" onSubmit={add}>
        <label>
          {say('userIdOrAddress')}
          <input
            className="input"
            required
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Button type="submit" disabled={search.isPending || change.isPending}>
          {say('memberAdd')}
        </Button>
      </form>
      {search.isSuccess && search.data === undefined && <p role="status">{say('explainNobody')}</p>}
      {search.error && <ProblemNote problem={search.error} route="users.list" />}
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
      icon="trash-2"
      verb={say('removeFactor')}
      title={say('memberRemoveTitle')}
      done={say('memberRemoved')}
    >
      <Id id={userId} />
    </Action>
  );
}
