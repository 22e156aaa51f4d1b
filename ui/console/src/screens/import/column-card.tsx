import { Card } from '../../parts/card.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { hasIdentifier, type Mapping, type Target, TARGETS } from './columns.ts';

interface Props {
  readonly mapping: Mapping;
  readonly isLocked: boolean;
  readonly onMap: (changed: Mapping) => void;
}

/** Maps the columns. Shows their names but none of their values, since one can be a password hash. */
export function ColumnCard({ mapping, isLocked, onMap }: Props) {
  const { say } = useTexts();
  return (
    <Card title={say('importColumns')}>
      <div className="stack narrow">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{say('importColumn')}</th>
              <th scope="col">{say('importTarget')}</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(mapping).map(([column, target]) => (
              <tr key={column}>
                <td>
                  <bdi className="mono">{column}</bdi>
                </td>
                <td>
                  <select
                    className="select"
                    aria-label={column}
                    disabled={isLocked}
                    value={target}
                    onChange={(event) => onMap({ [column]: event.target.value as Target })}
                  >
                    {TARGETS.map((choice) => (
                      <option key={choice} value={choice}>
                        {say(`column.${choice}`)}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {!hasIdentifier(mapping) && <p role="status">{say('importNoIdentifier')}</p>}
      </div>
    </Card>
  );
}
