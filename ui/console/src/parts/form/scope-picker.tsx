import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import type { FieldFacts } from '../../api/field-facts.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { titleOfResource } from './scope-titles.ts';
import { scopesBeside, scopeOfCell } from './scope-grid.ts';

interface Props {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly id: string;
}

/** Checkboxes for the scopes of the service and of resources, and a field for those of a tenant's own services. */
export function ScopePicker({ facts, value, id }: Props) {
  const { say } = useTexts();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const { choices = [] } = facts;
  return (
    <div className="stack">
      <Grid name={facts.name} chosen={chosen} />
      {choices.length > 0 && <OfResources facts={facts} chosen={chosen} />}
      <label className="field">
        {say('otherScopes')}
        <textarea
          // Scopes that became choices are removed from its text.
          key={choices.join(' ')}
          id={id}
          name={facts.name}
          className="input mono"
          dir="ltr"
          defaultValue={scopesBeside(chosen, choices).join('\n')}
          placeholder="read:invoices"
          spellCheck={false}
        />
      </label>
    </div>
  );
}

interface OfResourcesProps {
  readonly facts: FieldFacts;
  readonly chosen: readonly string[];
}

/** Shows each scope with the names of its resources. */
function OfResources({ facts, chosen }: OfResourcesProps) {
  const { say } = useTexts();
  return (
    <fieldset className="field">
      <legend>{say('scopesOfResources')}</legend>
      <div className="checks-grid">
        {facts.choices?.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              name={facts.name}
              value={scope}
              defaultChecked={chosen.includes(scope)}
            />
            <bdi className="mono">{scope}</bdi> <bdi className="muted">{facts.words?.[scope]}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
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
              {say(`verb.${action}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">{say(titleOfResource(resource) ?? 'viewAll')}</th>
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
  /** Callers cannot grant scopes that they do not have. */
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
