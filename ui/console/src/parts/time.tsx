import { useTexts } from '../texts/texts.tsx';
import { Tooltip } from './tooltip.tsx';

interface Props {
  readonly at: string | null | undefined;
  /** Shown if the time is missing. */
  readonly none?: string;
  readonly isWhole?: boolean;
}

/** From this distance on, a date says more than the number of months. */
const FAR_MS = 30 * 86_400_000;

/** Shows how long ago something was, or its date. The absolute time is in a tooltip, or follows. */
export function Time({ at, none, isWhole = false }: Props) {
  const { say, relative, absolute, date } = useTexts();
  if (!at) return <span className="muted">{none ?? say('never')}</span>;
  const moment = Date.parse(at);
  const whole = absolute(moment);
  const isFar = Math.abs(moment - Date.now()) >= FAR_MS;
  return (
    <Tooltip text={`${whole} (${absolute(moment, 'UTC')} UTC)`}>
      <time dateTime={at}>
        {isFar && isWhole ? (
          whole
        ) : (
          <>
            {isFar ? date(moment) : relative(moment)}
            {isWhole ? <Whole text={whole} /> : <span className="unseen">, {whole}</span>}
          </>
        )}
      </time>
    </Tooltip>
  );
}

function Whole({ text }: { readonly text: string }) {
  return (
    <span className="muted">
      <span className="dot"> · </span>
      {text}
    </span>
  );
}
