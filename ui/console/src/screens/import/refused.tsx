import { Card } from '../../parts/card.tsx';
import { errorTextOf } from '../../texts/field-errors.ts';
import { reasonOf } from '../../texts/problems.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Tally } from './tally.ts';

/** Their messages are about values of the line. */
const OF_VALUES = ['VALIDATION_FAILED', 'NOT_CONVERTED'];

/** Shows the first rejected lines by their position in the file, each with its error. */
export function RefusedTable({ tally: { refused, failed } }: { readonly tally: Tally }) {
  const texts = useTexts();
  const { say } = texts;
  const titles = [say('importLine'), say('importField'), say('importWhy')];
  return (
    <Card title={say('importRefused')}>
      <table className="table" role="table" aria-label={say('importRefused')}>
        <thead role="rowgroup">
          <tr role="row">
            {titles.map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {refused.map(({ at, path, message, code }) => (
            <tr key={at} role="row">
              <td role="cell">
                <bdi>{at}</bdi>
              </td>
              <td role="cell" data-label={titles[1]}>
                <bdi className="mono">{path === '' ? '–' : path}</bdi>
              </td>
              <td role="cell" data-label={titles[2]}>
                <span>
                  {OF_VALUES.includes(code)
                    ? errorTextOf(message, say).text
                    : reasonOf({ status: 400, code }, texts)}{' '}
                  <bdi className="mono muted">{code}</bdi>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {failed > refused.length && (
        <p className="muted">{say('andMore', { count: failed - refused.length })}</p>
      )}
    </Card>
  );
}
