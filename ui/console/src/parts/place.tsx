import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../url/params.ts';
import type { Search } from '../url/search.ts';

/** The router's own idea of a current link: the same address, and no part of it. */
const EXACT = { exact: true, includeSearch: true };

interface Props {
  /** Below the tenant: `/users/user:1`. */
  readonly to: string;
  readonly search?: Search;
  readonly className?: string;
  readonly isCurrent?: boolean;
  /** Where what is seen is no text. */
  readonly label?: string;
  /** The key `c` follows it. */
  readonly creates?: boolean;
  /** Besides, such as closing what it is in. */
  readonly onFollow?: () => void;
  readonly children: ReactNode;
}

/** A link within the console, of the same tenant. */
export function Place(props: Props) {
  const { to, search, className, isCurrent, label, creates, onFollow, children } = props;
  const tenant = useTenant();
  return (
    <Link
      to={`/t/${tenant}${to}`}
      {...(search && { search })}
      {...(className && { className })}
      activeOptions={EXACT}
      activeProps={{}}
      {...(label && { 'aria-label': label })}
      aria-current={isCurrent ? 'page' : undefined}
      {...(creates && { 'data-creates': '' })}
      {...(onFollow && { onClick: onFollow })}
      preload="intent"
    >
      {children}
    </Link>
  );
}
