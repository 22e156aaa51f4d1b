import { useTexts } from '../texts/texts.tsx';
import { Tooltip } from './tooltip.tsx';

interface Props {
  readonly at: string | null | undefined;
  /** Shown if the time is missing. */
  readonly none?: string;
  readonly isWhole?: boolean;
}

/** Shows how long ago something was. The absolute time is in a tooltip, or follows. */
export function Time({ at, none, isWhole = false }: Props) {
  const { say, relative, absolute } = useTexts();
  if (!at) return <span className="muted">{none ?? say('never')}</span>;
  const moment = Date.parse(at);
  const whole = absolute(moment);
  return (
    <Tooltip text={`${whole} (${absolute(moment, 'UTC')} UTC)`}>
      <time dateTime={at}>
        {relative(moment)}
        {isWhole ? (
          <span className="muted"> · {whole}</span>
        ) : (
          <span className="unseen">, {whole}</span>
        )}
      </time>
    </Tooltip>
  );
}
