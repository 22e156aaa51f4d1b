import { type ReactNode, use } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Menu, MenuItem } from '../menu.tsx';
import { useToast } from '../toast.tsx';
import { UserNames } from '../user-name.tsx';

/** The actions on each row of a list. */
export interface RowActions<Item> {
  /** Name of a row, or the ID of its user, for screen reader users. */
  readonly nameOf: (item: Item) => string;
  /** `MenuItem`, `MenuLink` and `Action` */
  readonly items?: (item: Item) => ReactNode;
}

interface Props {
  readonly name: string;
  readonly id: string;
  readonly children: ReactNode;
}

/** The menu of a row, which also copies the ID. */
export function RowMenu({ name, id, children }: Props) {
  const { say } = useTexts();
  const names = use(UserNames);
  return (
    <Menu label={say('actionsOn', { name: names.get(name) ?? name })} isSmall>
      <CopyId id={id} />
      {children}
    </Menu>
  );
}

function CopyId({ id }: { readonly id: string }) {
  const { say } = useTexts();
  const toast = useToast();
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    toast(say('copied'));
  };
  return (
    <MenuItem icon="copy" onChoose={() => void copy()}>
      {say('copyId')}
    </MenuItem>
  );
}
