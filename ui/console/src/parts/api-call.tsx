import { curlOf } from '../api/curl.ts';
import type { Input, RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { Copy } from './copy.tsx';

interface Props {
  readonly route: RouteId;
  readonly input: Input;
  /** Default: the tenant in the URL. */
  readonly tenant?: string;
}

/** Shows the API call that a view or a form makes. */
export function ApiCall({ route, input, tenant }: Props) {
  const { say } = useTexts();
  const currentTenant = useTenant();
  const text = curlOf(globalThis.location.origin, tenant ?? currentTenant, route, input);
  return (
    <details className="call">
      <summary>{say('asApiCall')}</summary>
      <div className="boxed" dir="ltr">
        <pre className="json" tabIndex={0} role="region" aria-label={say('asApiCall')}>
          {text}
        </pre>
        <Copy text={text} of={say('asApiCall')} />
      </div>
    </details>
  );
}
