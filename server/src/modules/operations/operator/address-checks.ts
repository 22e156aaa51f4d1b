import type { Config } from '../../../platform/config.ts';
import { explainListenFailure, findListenFailure } from '../../../platform/http/listen.ts';
import { isLocalhost, isPublicAddress, reachedAt } from './addresses.ts';
import { type Finding, fine, wrong } from './check.ts';
import { askForKeySet, askForProblems } from './running-service.ts';

/** Key ids of the default tenant; undefined if the database is unavailable. */
type OwnKeys = readonly string[] | undefined;

/** The public address of the service: it is the issuer in every token. */
export async function lookAtBaseUrl(config: Config, ownKeys: OwnKeys): Promise<Finding> {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  const { protocol, hostname } = new URL(baseUrl);
  if (config.baseUrl === undefined && !isLocalhost(config.host)) {
    return wrong(
      `not set, so that tokens would name ${baseUrl} as their issuer`,
      'Set KEYWRIGHT_BASE_URL to the public address, such as https://id.example.com.',
    );
  }
  if (protocol !== 'https:' && !isLocalhost(hostname)) {
    return wrong(
      `${baseUrl} is not https: tokens and passwords would go over the network in the open`,
      'Put a proxy that speaks TLS before the service, and its address in KEYWRIGHT_BASE_URL.',
    );
  }
  return config.baseUrl === undefined && config.port === 0
    ? fine('http://localhost, at whichever port is free')
    : lookAtKeySet(baseUrl, ownKeys);
}

async function lookAtKeySet(baseUrl: string, ownKeys: OwnKeys): Promise<Finding> {
  const answer = await askForKeySet(baseUrl, false);
  switch (answer.kind) {
    case 'not there':
      return fine(`${baseUrl} (nothing answers there now, seen from here)`);
    case 'broken':
      return wrong(
        `${baseUrl} answers with something else: ${answer.reason}`,
        'See to the certificate and the way of the proxy: verifiers fetch the keys there.',
      );
    case 'refused':
      return wrong(
        `${baseUrl} answers ${answer.status} ${answer.code} when asked for the key set`.trim(),
        answer.code === 'TENANT_NOT_FOUND'
          ? 'Add its host name to the domains of org_default, and let the proxy pass the host on.'
          : 'See to the service there, and to the proxy before it.',
      );
    case 'keys':
      return isOurs(answer.ids, ownKeys)
        ? fine(`${baseUrl}, and its key set is there`)
        : wrong(
            `${baseUrl} publishes the keys of another tenant or installation`,
            'Make its host name a domain of org_default, and see that the proxy leads to this service.',
          );
  }
}

function isOurs(ids: readonly string[], ownKeys: OwnKeys): boolean {
  return ownKeys === undefined || ids.some((id) => ownKeys.includes(id));
}

/** The service speaks only HTTP, so an https address implies a proxy. A running one knows more. */
export async function lookAtProxies({
  baseUrl,
  host,
  port,
  trustedProxies,
}: Config): Promise<Finding> {
  const areSet = trustedProxies.rules.length > 0;
  const isBehindProxy = baseUrl?.startsWith('https:') === true && !isPublicAddress(host);
  if (isBehindProxy && !areSet) {
    return wrong(
      'the base URL is https, so there is a proxy, and none is trusted: every client has its address',
      'Set KEYWRIGHT_TRUSTED_PROXIES to the addresses of the proxies, such as 10.0.0.0/8.',
    );
  }
  const problems = port === 0 ? [] : await askForProblems(`http://${reachedAt(host)}:${port}`);
  if (problems.some(({ code }) => code === 'untrusted_proxy')) {
    return wrong(
      'requests come through an internal proxy that is not trusted: all its clients share one address and its limits',
      'Add the address of the proxy, which the log of the service names, to KEYWRIGHT_TRUSTED_PROXIES.',
    );
  }
  return fine(areSet ? 'some are trusted' : 'none is trusted, and none is expected');
}

/** Whether the service listens, or could. */
export async function lookAtPort({ host, port }: Config, ownKeys: OwnKeys): Promise<Finding> {
  if (port === 0) return fine('any that is free');
  const failure = await findListenFailure(host, port);
  if (failure === undefined) return fine(`${host}:${port} is free`);
  const { says, advice } = explainListenFailure(host, port, failure);
  if (failure !== 'EADDRINUSE') return wrong(says, advice);
  const answer = await askForKeySet(`http://${reachedAt(host)}:${port}`, true);
  if (answer.kind === 'keys' && isOurs(answer.ids, ownKeys)) {
    return fine(`${host}:${port} is served by this service`);
  }
  return wrong(says, advice);
}
