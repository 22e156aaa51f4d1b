import type { ReactNode } from 'react';
import { Address } from './address.tsx';
import { Menu } from './menu.tsx';
import { useTitle } from './title.ts';

interface Props {
  readonly title: string;
  /** Shown instead of the title, which names the browser's tab. */
  readonly heading?: string;
  /** In front of the title */
  readonly avatar?: ReactNode;
  /** After the title */
  readonly state?: ReactNode;
  /** One sentence. */
  readonly about?: ReactNode;
  /** At most one solid button and two plain ones. */
  readonly actions?: ReactNode;
  /** The other actions, in a menu, with those that cannot be undone at the end. */
  readonly more?: ReactNode;
  /** The list that contains the record. */
  readonly from?: { readonly to: string; readonly title: string };
  readonly children: ReactNode;
}

export function Page(props: Props) {
  const { title, heading = title, avatar, state, about, actions, more, from, children } = props;
  useTitle(title, from);
  return (
    <>
      <header className="page-head">
        {avatar}
        <div className="what">
          <div className="titled">
            <h1>
              <Address text={heading} />
            </h1>
            {state}
          </div>
          {about && <div className="about">{about}</div>}
        </div>
        {(actions || more) && (
          <div className="actions">
            {actions}
            {more && <Menu>{more}</Menu>}
          </div>
        )}
      </header>
      {children}
    </>
  );
}

interface RailProps {
  /** Cards with the facts of the record. On narrow screens, they come last. */
  readonly rail: ReactNode;
  readonly children: ReactNode;
}

/** The content of a record, with a rail of facts at the end of the line. */
export function WithRail({ rail, children }: RailProps) {
  return (
    <div className="with-rail">
      <div className="stack">{children}</div>
      <div className="stack">{rail}</div>
    </div>
  );
}
