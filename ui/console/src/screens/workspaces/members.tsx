import type { Member } from '@keywright/sdk';
import { type FormEvent, useId, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { UserField } from '../../parts/form/user-field.tsx';
import { MenuItem } from '../../parts/menu.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { reasonOf } from '../../texts/problems.ts';
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
  const membership = useMembership();
  return (
    <div>
      {can('write:workspaces') && can('read:users') && (
        <Addition workspaceId={workspaceId} membership={membership} />
      )}
      <Table
        route="workspaces.list_members"
        label={say('members')}
        columns={COLUMNS}
        usersIn={({ user_id: id }) => [id]}
        keyOf={({ user_id: id }) => id}
        actions={{
          nameOf: ({ user_id: id }) => id,
          items: (member) => <Remove member={member} membership={membership} />,
        }}
        params={{ workspace_id: workspaceId }}
        emptyTitle={say('membersEmptyTitle')}
        guide="tenants"
        empty={<p>{say('membersEmpty')}</p>}
      />
    </div>
  );
}

const USER: FieldFacts = {
  of: 'member',
  name: 'user',
  kind: 'text',
  finds: 'users',
  required: true,
};

interface AdditionProps {
  readonly workspaceId: string;
  readonly membership: ReturnType<typeof useMembership>;
}

function Addition({ workspaceId, membership }: AdditionProps) {
  const { say } = useTexts();
  const id = useId();
  // Another field after each user.
  const [count, setCount] = useState(0);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const userId = new FormData(event.currentTarget).get('user');
    if (typeof userId !== 'string' || userId === '') return;
    membership.add({ workspace_id: workspaceId, user_id: userId }, () => setCount(count + 1));
  };
  return (
    <>
      <form className="filters" onSubmit={add}>
        <div className="field grows">
          <label htmlFor={id}>{say('user')}</label>
          <UserField
            key={count}
            facts={USER}
            value={undefined}
            id={id}
            isInvalid={false}
            describedBy={undefined}
          />
        </div>
        <Button type="submit" icon="plus">
          {say('memberAdd')}
        </Button>
      </form>
      {membership.problem && (
        <ProblemNote problem={membership.problem} route="workspaces.add_member" />
      )}
    </>
  );
}

/** Adds and removes members. Both can be undone. */
function useMembership() {
  const texts = useTexts();
  const { say } = texts;
  const toast = useToast();
  const tenant = useTenant();
  const addition = useChange(tenant, 'workspaces.add_member');
  const removal = useChange(tenant, 'workspaces.remove_member');
  type Params = Parameters<typeof addition.mutate>[0]['params'];
  const report = (text: string, undo: () => void) => toast(text, { undo });
  const undone = { onSuccess: () => toast(say('undone')) };
  return {
    problem: addition.error,
    add: (params: Params, then: () => void) =>
      addition.mutate(
        { params },
        {
          onSuccess: () => {
            then();
            report(say('memberAdded'), () => removal.mutate({ params }, undone));
          },
        },
      ),
    remove: (params: Params) =>
      removal.mutate(
        { params },
        {
          onSuccess: () => report(say('memberRemoved'), () => addition.mutate({ params }, undone)),
          onError: (problem) => toast(reasonOf(problem, texts), { isBad: true }),
        },
      ),
  };
}

interface RemoveProps {
  readonly member: Member;
  readonly membership: ReturnType<typeof useMembership>;
}

/** Without a question, because it can be undone. */
function Remove({ member: { user_id: userId, workspace_id: id }, membership }: RemoveProps) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:workspaces') || id === DEFAULT_WORKSPACE) return null;
  const remove = () => membership.remove({ workspace_id: id, user_id: userId });
  return (
    <MenuItem icon="x" onChoose={remove}>
      {say('removeFactor')}
    </MenuItem>
  );
}
