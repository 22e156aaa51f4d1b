import type { ReactNode } from 'react';
import { Card } from '../../parts/card.tsx';
import { Bars, type Series } from '../../parts/chart/bars.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { loginsBy, METHODS, type Step } from './series.ts';

const TONES = ['c1', 'c2', 'c3', 'c4'] as const;

interface Props {
  readonly steps: readonly Step[];
  /** Below the chart */
  readonly children?: ReactNode;
}

/** The logins of each step, by the first method. */
export function LoginChart({ steps, children }: Props) {
  const { say } = useTexts();
  const label = say('loginsByMethod');
  const series = METHODS.map((method, place): Series => ({
    name: method,
    label: say(`by.${method}`),
    tone: TONES[place] ?? 'c4',
    values: loginsBy(method, steps),
  }));
  return (
    <Card title={label}>
      <Bars label={label} spans={steps} series={series} isTall />
      {children}
    </Card>
  );
}
