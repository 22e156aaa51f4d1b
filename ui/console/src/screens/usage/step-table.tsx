import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { FIGURE_NAMES, figureOf, type Step } from './series.ts';

/** Shows the data of the charts as a table, for users who cannot see them. Omits steps where nothing happened. */
export function StepTable({ steps }: { readonly steps: readonly Step[] }) {
  const { say, number, absolute } = useTexts();
  const shown = steps.filter(({ span }) => span).toReversed();
  return (
    <details className="twin">
      <summary>{say('asTable')}</summary>
      <div className="wide" tabIndex={0} role="region" aria-label={say('usage')}>
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">{say('when')}</th>
              {FIGURE_NAMES.map((name) => (
                <th key={name} scope="col">
                  {say(`figure.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((step) => (
              <tr key={step.from}>
                <th scope="row">
                  <Place to="/audit" search={{ from: step.from, to: step.to }}>
                    {absolute(Date.parse(step.from))}
                  </Place>
                </th>
                {FIGURE_NAMES.map((name) => {
                  const { good, bad } = figureOf(name, step);
                  return (
                    <td key={name}>
                      {number(good)}
                      {bad > 0 && ` · ${say(`wrong.${name}`, { count: bad })}`}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
