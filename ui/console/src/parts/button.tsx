import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

/** `solid`: the main action of a page; `bad`: leads to a dialog that asks; `danger`: confirms there. */
export type ButtonKind = 'plain' | 'solid' | 'ghost' | 'bad' | 'danger';

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: ButtonKind;
  readonly isSmall?: boolean;
  readonly icon?: IconName | undefined;
  /** Of a button that shows only its icon; also its tooltip. */
  readonly label?: string;
  readonly children?: ReactNode;
}

export function Button(props: Props) {
  const {
    kind = 'plain',
    isSmall = false,
    type = 'button',
    icon,
    label,
    children,
    ...rest
  } = props;
  const button = (
    // The lint rule looks for a literal; the default is a button that submits nothing.
    <button
      type={type}
      className={classesOf(kind, isSmall, label !== undefined)}
      {...(label !== undefined && { 'aria-label': label })}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
  return label === undefined ? button : <Tooltip text={label}>{button}</Tooltip>;
}

/** Returns the classes of a button, for a link that looks like one. */
export function classesOf(kind: ButtonKind, isSmall = false, isBare = false): string {
  return ['button', kind, isSmall ? 'small' : '', isBare ? 'bare' : '']
    .filter((name) => name !== '')
    .join(' ');
}
