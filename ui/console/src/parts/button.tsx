import type { ComponentProps, ReactNode } from 'react';

interface Props extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: 'plain' | 'solid' | 'bad';
  readonly isSmall?: boolean;
  readonly children: ReactNode;
}

export function Button({ kind = 'plain', isSmall = false, type = 'button', ...rest }: Props) {
  // The lint rule looks for a literal; the default is a button that submits nothing.
  return <button type={type} className={classesOf(kind, isSmall)} {...rest} />;
}

export function classesOf(kind: 'plain' | 'solid' | 'bad', isSmall = false): string {
  return ['button', kind, isSmall ? 'small' : ''].filter((name) => name !== '').join(' ');
}
