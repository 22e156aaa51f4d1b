import type { Role, User } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Address } from '../../parts/address.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { YouNote } from '../shared/you-note.tsx';
import { nameOfUser } from '../../api/users.ts';
import { useRoles } from './all-roles.ts';
import { type Effect, effectOf, effectOn } from './effect.ts';

/** Holders that are named. */
const SHOWN = 20;

interface Props {
  readonly role: Role;
  /** The scopes that the form would save. */
  readonly scopes: readonly string[];
}

/** Shows who would gain or lose which scopes, before a role is saved. */
export function WhatIf({ role, scopes }: Props) {
  const { say } = useTexts();
  const { gains, loses } = effectOf(role.scopes, scopes);
  const holders = useCall(useTenant(), 'users.list', { query: { role: role.name, limit: SHOWN } });
  const roles = useRoles();
  const { roles: callerRoles } = useCaller();
  return (
    <section className="note brass" aria-label={say('whatIf')}>
      <h3>{say('whatIf')}</h3>
      {loses.length > 0 && callerRoles.includes(role.name) && <YouNote text="youLosePermissions" />}
      <EffectFacts effect={{ gains, loses }} />
      <Loaded query={holders} route="users.list" rows={2}>
        {({ items, meta }) => (
          <>
            <p role="status">
              {meta.total === 0 ? say('whatIfNobody') : say('whatIfCount', { count: meta.total })}
            </p>
            {roles.data && (
              <ul className="chipless stack">
                {items.map((user) => (
                  <Holder
                    key={user.id}
                    user={user}
                    effect={effectOn(user.roles, roles.data.items, { name: role.name, scopes })}
                  />
                ))}
              </ul>
            )}
            {meta.total > items.length && (
              <p className="muted">{say('andMore', { count: meta.total - items.length })}</p>
            )}
          </>
        )}
      </Loaded>
      <p className="muted">{say('whatIfAgents')}</p>
    </section>
  );
}

function Holder({ user, effect }: { readonly user: User; readonly effect: Effect }) {
  return (
    <li>
      <Place to={`/users/${user.id}`}>
        <Address text={nameOfUser(user)} />
      </Place>
      <EffectFacts effect={effect} />
    </li>
  );
}

function EffectFacts({ effect: { gains, loses } }: { readonly effect: Effect }) {
  const { say } = useTexts();
  return (
    <Facts
      rows={[
        [say('gains'), <Scopes key="gains" scopes={gains} />],
        [say('loses'), <Scopes key="loses" scopes={loses} />],
      ]}
    />
  );
}
