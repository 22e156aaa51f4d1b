import type { ReactNode } from 'react';
import { Address } from './address.tsx';
import { Place } from './place.tsx';
import { useTitle } from './title.ts';

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The list that contains the record. */
  readonly from?: { readonly to: string; readonly title: string };
  readonly children: ReactNode;
}

export function Page({ title, about, actions, from, children }: Props) {
  useTitle(title);
  return (
    <>
      <header className="page-head">
        <div className="what">
          {from && (
            <p className="trail">
              <Place to={from.to}>{from.title}</Place>
            </p>
          )}
          <h1>
            <Address text={title} />
          </h1>
          {about && <div className="about">{about}</div>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
