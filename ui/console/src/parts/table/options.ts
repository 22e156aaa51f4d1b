import type { User } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Filter } from './column.ts';
import type { Option } from './typed.ts';

/** Lists that cannot be searched are read up to this many records. */
const WHOLE = { query: { limit: 100 } };
const MOST_USERS = 8;
const USER_ID = /^user:[0-9a-z]{26}$/;

interface Options {
  /** Undefined if values of this filter can only be typed. */
  readonly options: readonly Option[] | undefined;
  readonly isPending: boolean;
}

/** Returns the values of a filter with their names. @param text limits users, of whom there can be many */
export function useOptions(filter: Filter | undefined, text = ''): Options {
  const tenant = useTenant();
  const { can } = useCaller();
  const { say, name } = useTexts();
  const may = (of: Filter['of'], scope: string) => filter?.of === of && can(scope);
  const roles = useCall(tenant, 'roles.list', WHOLE, may('roles', 'read:roles'));
  const workspaces = useCall(
    tenant,
    'workspaces.list',
    WHOLE,
    may('workspaces', 'read:workspaces'),
  );
  const clients = useCall(tenant, 'clients.list', WHOLE, may('clients', 'read:clients'));
  const query = { limit: MOST_USERS, ...(text !== '' && { search: text }) };
  const users = useCall(tenant, 'users.list', { query }, may('users', 'read:users'));
  const isPending = [roles, workspaces, clients, users].some(({ isLoading }) => isLoading);
  if (filter?.choices) {
    const wordOf = (choice: string) => {
      if (filter.words === 'raw') return choice;
      const key = filter.words?.[choice];
      return key ? say(key) : name(choice);
    };
    const options = filter.choices.map((value) => ({ value, word: wordOf(value) }));
    return { options, isPending: false };
  }
  const found = {
    roles: roles.data?.items.map((role) => ({ value: role.name, word: role.name })),
    workspaces: workspaces.data?.items.map(optionOf),
    clients: clients.data?.items.map(optionOf),
    users: users.data?.items.map(optionOfUser),
  };
  return { options: filter?.of && found[filter.of], isPending };
}

const optionOf = ({ id, name }: { readonly id: string; readonly name: string }): Option => ({
  value: id,
  word: name,
});

function optionOfUser({ id, name, identifiers: [first] }: User): Option {
  const address = first?.identifier ?? id;
  return { value: id, word: name === null ? address : `${name} (${address})` };
}

/** Returns the name of a filter's value, for the chip. */
export function useWordOf(filter: Filter, value: string): string {
  const { absolute } = useTexts();
  const isUser = filter.of === 'users';
  const { options = [] } = useOptions(isUser && !USER_ID.test(value) ? undefined : filter, value);
  if (filter.isMoment) {
    const moment = Date.parse(value);
    return Number.isNaN(moment) ? value : absolute(moment);
  }
  return options.find((option) => option.value === value)?.word ?? value;
}
