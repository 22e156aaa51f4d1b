import { intersectScopes } from '@keywright/contract/scopes';
import type { Role } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { scopesOfRole, useRoles } from './all-roles.ts';
import { effectOf } from './effect.ts';

/** Compares what two roles allow. The URL names both. */
export function RoleComparison() {
  return (
    <Loaded query={useRoles()} route="roles.list">
      {({ items }) => <Comparison roles={items} />}
    </Loaded>
  );
}

function Comparison({ roles }: { readonly roles: readonly Role[] }) {
  const { say } = useTexts();
  const { search } = useView();
  const { a: first = '', b: second = '' } = search;
  const [ofFirst, ofSecond] = [scopesOfRole(roles, first), scopesOfRole(roles, second)];
  const { gains, loses } = effectOf(ofFirst, ofSecond);
  return (
    <>
      <div className="filters">
        <Choice roles={roles} name="a" label="compareFirst" />
        <Choice roles={roles} name="b" label="compareSecond" />
      </div>
      {first !== '' && second !== '' && (
        <Card title={`${first} – ${second}`}>
          <Facts
            rows={[
              [say('compareOnly', { name: first }), <Scopes key="first" scopes={loses} />],
              [
                say('compareBoth'),
                <Scopes key="both" scopes={intersectScopes(ofFirst, ofSecond)} />,
              ],
              [say('compareOnly', { name: second }), <Scopes key="second" scopes={gains} />],
            ]}
          />
        </Card>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly roles: readonly Role[];
  readonly name: string;
  readonly label: TextKey;
}

function Choice({ roles, name, label }: ChoiceProps) {
  const { say } = useTexts();
  const { search, filter } = useView();
  return (
    <label>
      {say(label)}
      <select
        className="select"
        value={search[name] ?? ''}
        onChange={(event) => filter({ [name]: event.target.value })}
      >
        <option value="">{say('choose')}</option>
        {roles.map((role) => (
          <option key={role.name}>{role.name}</option>
        ))}
      </select>
    </label>
  );
}
