import { Place } from '../../parts/place.tsx';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { FIGURE_NAMES, figureOf, METHODS, type Step } from './series.ts';

/** A column of the table next to a chart. */
interface StepColumn {
  readonly title: string;
  readonly textOf: (step: Step, number: Texts['number']) => string;
}

/** A column for each figure. */
export function figureColumns(say: Texts['say']): StepColumn[] {
  return FIGURE_NAMES.map((name) => ({
    title: say(`figure.${name}`),
    textOf: (step, number) => {
      const { good, bad } = figureOf(name, step);
      const failed = bad > 0 ? ` · ${say(`wrong.${name}`, { count: bad })}` : '';
      return `${number(good)}${failed}`;
    },
  }));
}

/** A column for each method of logins. */
export function methodColumns(say: Texts['say']): StepColumn[] {
  return METHODS.map((method) => ({
    title: say(`by.${method}`),
    textOf: ({ span }, number) => number(span?.logins[method] ?? 0),
  }));
}

interface Props {
  readonly label: string;
  readonly steps: readonly Step[];
  readonly columns: readonly StepColumn[];
}

/** Shows the data of a chart as a table, for users who cannot see it. Omits steps where nothing happened. */
export function StepTable({ label, steps, columns }: Props) {
  const { say, number, absolute } = useTexts();
  const shown = steps.filter(({ span }) => span).toReversed();
  return (
    <details className="twin">
      <summary>{say('asTable')}</summary>
      <div className="wide" tabIndex={0} role="region" aria-label={label}>
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">{say('when')}</th>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
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
                {columns.map(({ title, textOf }) => (
                  <td key={title}>{textOf(step, number)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
