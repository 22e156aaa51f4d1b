import type { User } from '@keywright/sdk';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { nameOfUser } from '../../api/users.ts';
import { useTenant } from '../../url/params.ts';
import { useSettled } from '../settled.ts';
import { SingleCombobox } from './combobox.tsx';
import type { InputProps } from './control.ts';

/** The service finds users by the start of their names and identifiers. */
const MOST = 8;

/** A field for the ID of a user, who is found by name, email or phone. */
export function UserField(props: InputProps) {
  const id = typeof props.value === 'string' ? props.value : '';
  const params = { user_id: id };
  const present = useCall(useTenant(), 'users.get', { params }, id !== '');
  // The name of the present user is shown from the start.
  if (present.isLoading) return <span className="input" aria-busy="true" />;
  return <Finder {...props} present={present.data} />;
}

interface FinderProps extends Omit<InputProps, 'value'> {
  readonly present: User | undefined;
}

function Finder({ facts, id, isInvalid, describedBy, present }: FinderProps) {
  const [text, setText] = useState('');
  const search = useSettled(text.trim());
  const query = { limit: MOST, ...(search !== '' && { search }) };
  const found = useCall(useTenant(), 'users.list', { query }).data?.items ?? [];
  // A chosen user remains known when the next search does not find them.
  const [known] = useState(() => new Map<string, User>());
  for (const user of [...(present ? [present] : []), ...found]) known.set(user.id, user);
  const wordOf = (userId: string) => {
    const user = known.get(userId);
    return user ? nameOfUser(user) : userId;
  };
  const aboutOf = (userId: string) => {
    const identifier = known.get(userId)?.identifiers[0]?.identifier;
    return identifier === wordOf(userId) ? undefined : identifier;
  };
  return (
    <SingleCombobox
      name={facts.name}
      choices={found.map((user) => user.id)}
      chosen={present?.id}
      isRequired={facts.required === true}
      onSearch={setText}
      {...{ id, isInvalid, describedBy, wordOf, aboutOf }}
    />
  );
}
