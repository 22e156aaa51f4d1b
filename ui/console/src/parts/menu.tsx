import { Menu as Base } from '@base-ui/react/menu';
import { createContext, type ReactNode, use, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import type { Search } from '../url/search.ts';
import { classesOf } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Place } from './place.tsx';

/** Shows a dialog next to the menu, which has closed by then; undefined: closes the dialog. */
type Show = (dialog: ReactNode) => void;

const MenuContext = createContext<Show | undefined>(undefined);

interface Props {
  /** For screen reader users; default: more actions. */
  readonly label?: string;
  readonly isSmall?: boolean;
  /** `MenuItem`, `MenuLink`, and `Action`, which is an item in a menu. */
  readonly children: ReactNode;
}

/** A button with three dots, and the actions that it offers. */
export function Menu({ label, isSmall = false, children }: Props) {
  const { say } = useTexts();
  const [dialog, show] = useState<ReactNode>();
  return (
    <>
      <Base.Root modal={false}>
        <Base.Trigger
          className={classesOf(isSmall ? 'ghost' : 'plain', isSmall, true)}
          aria-label={label ?? say('moreActions')}
        >
          <Icon name="ellipsis" />
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className="floating" align="end" sideOffset={4}>
            <Base.Popup className="menu">
              <MenuContext value={show}>{children}</MenuContext>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {dialog}
    </>
  );
}

/** Returns how an item of this menu shows a dialog; undefined outside menus. */
export function useMenuDialog(): Show | undefined {
  return use(MenuContext);
}

interface ItemProps {
  readonly icon?: IconName | undefined;
  readonly isBad?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, isBad = false, onChoose, children }: ItemProps) {
  return (
    <Base.Item className={isBad ? 'bad' : ''} onClick={onChoose}>
      {icon && <Icon name={icon} />}
      {children}
    </Base.Item>
  );
}

interface LinkProps {
  readonly icon?: IconName;
  readonly to: string;
  readonly search?: Search;
  readonly children: ReactNode;
}

export function MenuLink({ icon, to, search, children }: LinkProps) {
  return (
    <Base.LinkItem
      closeOnClick
      render={(props) => (
        <Place to={to} {...(search && { search })} rest={props}>
          {icon && <Icon name={icon} />}
          {children}
        </Place>
      )}
    />
  );
}
