import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../url/params.ts';
import type { Search } from '../url/search.ts';

/** Makes the router treat a link as current only at exactly the same address. */
const EXACT = { exact: true, includeSearch: true };

interface Props {
  /** Below the tenant: `/users/user:1`. */
  readonly to: string;
  readonly search?: Search;
  readonly className?: string;
  readonly isCurrent?: boolean;
  /** The accessible name, if the visible content is not text. */
  readonly label?: string;
  /** The key `c` follows the link. */
  readonly creates?: boolean;
  /** Called when the link is followed, for example to close its container. */
  readonly onFollow?: () => void;
  /** What a part around the link adds to it. */
  readonly rest?: object;
  readonly children: ReactNode;
}

/** A link within the console, to the same tenant. */
export function Place(props: Props) {
  const { to, search, className, isCurrent, label, creates, onFollow, rest, children } = props;
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
      {...rest}
      preload="intent"
    >
      {children}
    </Link>
  );
}
