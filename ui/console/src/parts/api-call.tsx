import { curlOf } from '../api/curl.ts';
import type { Input, RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { Copy } from './copy.tsx';

/** The call that a view or a form makes. */
export function ApiCall({ route, input }: { readonly route: RouteId; readonly input: Input }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const text = curlOf(globalThis.location.origin, tenant, route, input);
  return (
    <details className="call">
      <summary>{say('asApiCall')}</summary>
      <div>
        <pre className="json" dir="ltr" tabIndex={0} role="region" aria-label={say('asApiCall')}>
          {text}
        </pre>
        <Copy text={text} of={say('asApiCall')} />
      </div>
    </details>
  );
}
