import { useTexts } from '../texts/texts.tsx';

interface Props {
  readonly at: string | null | undefined;
  /** What stands for no time. */
  readonly none?: string;
  readonly isWhole?: boolean;
}

/** How long ago; the absolute time is its title, or follows it. */
export function Time({ at, none, isWhole = false }: Props) {
  const { say, relative, absolute } = useTexts();
  if (!at) return <span className="muted">{none ?? say('never')}</span>;
  const moment = Date.parse(at);
  const whole = absolute(moment);
  return (
    <time dateTime={at} title={`${whole} (${absolute(moment, 'UTC')} UTC)`}>
      {relative(moment)}
      {isWhole && <span className="muted"> · {whole}</span>}
    </time>
  );
}
