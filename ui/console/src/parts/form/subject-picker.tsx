import { Combobox as Base } from '@base-ui/react/combobox';
import { useRef, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { nameOfUser, useRecordNames } from '../../api/users.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { Avatar } from '../avatar.tsx';
import { useSettled } from '../settled.ts';
import { Options } from './combobox.tsx';

/** Of each kind. */
const MOST = 6;
const AGENTS = { query: { limit: 100 } };

/** A user or an agent. */
interface Subject {
  readonly id: string;
  readonly name: string;
  readonly about?: string | undefined;
}

interface Found {
  readonly found: readonly Subject[];
  readonly hasFailed: boolean;
}

interface Props {
  /** The field of the form. Its value is the ID, or what was typed if nothing was chosen. */
  readonly name: string;
  readonly id: string;
  /** The ID of the subject; empty: none yet. */
  readonly value: string;
}

/** Chooses a user or an agent. Typing searches by name, email address and phone number. */
export function SubjectPicker({ name, id, value }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const field = useRef<HTMLDivElement>(null);
  const { names } = useRecordNames([value], can);
  const [chosen, setChosen] = useState<Subject>();
  const [typed, setTyped] = useState<string>();
  const first = value === '' ? null : { id: value, name: names.get(value) ?? value };
  const subject = typed === undefined ? (chosen ?? first) : (chosen ?? null);
  const text = typed ?? subject?.name ?? '';
  const [isUsed, setUsed] = useState(false);
  const { found, hasFailed } = useFoundSubjects(typed ?? '', isUsed);
  return (
    <>
      <Base.Root<Subject>
        items={found}
        filter={null}
        value={subject}
        inputValue={text}
        isItemEqualToValue={(item, other) => item.id === other.id}
        itemToStringLabel={(item) => item.name}
        onInputValueChange={(next, { reason }) => {
          if (reason !== 'input-change') return;
          setTyped(next);
          setChosen(undefined);
        }}
        onValueChange={(next) => {
          if (!next) return;
          setChosen(next);
          setTyped(next.name);
        }}
      >
        <div ref={field} className="input combobox single">
          <Base.Input
            id={id}
            required
            placeholder={say('subjectSearch')}
            onFocus={() => setUsed(true)}
          />
        </div>
        <Options field={field} {...(hasFailed && { empty: say('failed') })}>
          {(item: Subject) => <Option key={item.id} subject={item} />}
        </Options>
      </Base.Root>
      <input type="hidden" name={name} value={subject?.id ?? text.trim()} />
    </>
  );
}

function Option({ subject }: { readonly subject: Subject }) {
  const { id, name, about } = subject;
  return (
    <Base.Item value={subject}>
      <span className="who">
        <Avatar id={id} name={name} isSquare={id.startsWith('service:')} />
        <span>
          <bdi>{name}</bdi>
          {about && <small>{about}</small>}
        </span>
      </span>
    </Base.Item>
  );
}

/** The users and agents whose name contains the text, as far as the caller can read them. @param isUsed whether to read them */
function useFoundSubjects(text: string, isUsed: boolean): Found {
  const tenant = useTenant();
  const { can } = useCaller();
  const searched = useSettled(text.trim());
  const search = searched === '' ? {} : { search: searched };
  const users = useCall(
    tenant,
    'users.list',
    { query: { limit: MOST, ...search } },
    isUsed && can('read:users'),
  );
  const agents = useCall(tenant, 'agents.list', AGENTS, isUsed && can('read:agents'));
  const lower = searched.toLocaleLowerCase();
  const found = [
    ...(users.data?.items ?? []).map((user) => {
      const [first] = user.identifiers;
      return {
        id: user.id,
        name: nameOfUser(user),
        about: user.name === null ? undefined : first?.identifier,
      };
    }),
    ...(agents.data?.items ?? [])
      .filter((agent) => agent.name.toLocaleLowerCase().includes(lower))
      .slice(0, MOST)
      .map((agent) => ({ id: agent.id, name: agent.name, about: undefined })),
  ];
  return { found, hasFailed: users.isError || agents.isError };
}
