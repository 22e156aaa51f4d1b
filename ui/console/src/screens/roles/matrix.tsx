import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import type { Role } from '@keywright/sdk';
import { scopesBeside } from '../../parts/form/scope-grid.ts';
import { titleOfResource } from '../../parts/form/scope-titles.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useRoles } from './all-roles.ts';
import { actionsOn } from './effect.ts';

/** Shows what each role allows for each resource. */
export function RoleMatrix() {
  return (
    <Loaded query={useRoles()} route="roles.list" rows={16}>
      {({ items }) => <Matrix roles={items} />}
    </Loaded>
  );
}

function Matrix({ roles }: { readonly roles: readonly Role[] }) {
  const { say } = useTexts();
  return (
    // A scrollable area must be reachable by keyboard.
    <div className="table-frame wide" tabIndex={0} role="region" aria-label={say('matrix')}>
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">{say('resource')}</th>
            {roles.map(({ name }) => (
              <th key={name} scope="col">
                <Place to={`/roles/${name}`}>
                  <bdi>{name}</bdi>
                </Place>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RESOURCES.map((resource) => (
            <tr key={resource}>
              <th scope="row">{say(titleOfResource(resource) ?? 'viewAll')}</th>
              {roles.map(({ name, scopes }) => (
                <td key={name}>
                  <Actions names={actionsOn(scopes, ACTIONS, resource)} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{say('otherScopes')}</th>
            {roles.map(({ name, scopes }) => (
              <td key={name}>
                <Cell names={scopesBeside(scopes)} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** The actions of the service, in the language of the console. */
function Actions({ names }: { readonly names: readonly string[] }) {
  const { say, locale } = useTexts();
  if (names.length === 0) return <Cell names={names} />;
  const words = ACTIONS.filter((action) => names.includes(action)).map((action) =>
    say(`verb.${action}`),
  );
  return new Intl.ListFormat(locale, { type: 'unit' }).format(words);
}

function Cell({ names }: { readonly names: readonly string[] }) {
  const { say } = useTexts();
  if (names.length === 0) {
    return (
      <span className="muted" role="img" aria-label={say('matrixEmpty')}>
        –
      </span>
    );
  }
  return <bdi className="mono">{names.join(' ')}</bdi>;
}
