import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import type { FieldFacts } from '../../api/field-facts.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { scopesBeside, scopeOfCell } from './scope-grid.ts';

interface Props {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly id: string;
}

/** The scopes of the service to check, and a field for those of a tenant's own services. */
export function ScopePicker({ facts, value, id }: Props) {
  const { say } = useTexts();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <div className="stack">
      <Grid name={facts.name} chosen={chosen} />
      <label className="field">
        {say('otherScopes')}
        <textarea
          id={id}
          name={facts.name}
          className="input mono"
          dir="ltr"
          defaultValue={scopesBeside(chosen).join('\n')}
          placeholder="read:invoices"
          spellCheck={false}
        />
      </label>
    </div>
  );
}

function Grid({ name, chosen }: { readonly name: string; readonly chosen: readonly string[] }) {
  const { say } = useTexts();
  const { can } = useCaller();
  return (
    <table className="scope-grid">
      <thead>
        <tr>
          <th scope="col">{say('resource')}</th>
          {ACTIONS.map((action) => (
            <th key={action} scope="col">
              <bdi className="mono">{action}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">
              <bdi className="mono">{resource}</bdi>
            </th>
            {ACTIONS.map((action) => (
              <td key={action}>
                <Cell
                  name={name}
                  scope={scopeOfCell(action, resource)}
                  isChosen={chosen.includes(scopeOfCell(action, resource))}
                  isAllowed={can(scopeOfCell(action, resource))}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly name: string;
  readonly scope: string;
  readonly isChosen: boolean;
  /** Callers cannot grant what they do not hold. */
  readonly isAllowed: boolean;
}

function Cell({ name, scope, isChosen, isAllowed }: CellProps) {
  const { say } = useTexts();
  return (
    <span className="check">
      <input
        type="checkbox"
        name={name}
        value={scope}
        aria-label={scope}
        defaultChecked={isChosen}
        disabled={!isAllowed && !isChosen}
        title={isAllowed ? undefined : say('notHeld')}
      />
    </span>
  );
}
