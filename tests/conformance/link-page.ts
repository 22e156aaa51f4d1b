// The page of a client that is the target of links in emails, as described in the guide.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LinkPage {
  readonly origin: string;
  /** Methods of the requests that it was opened with. */
  readonly requests: readonly string[];
  close(): void;
}

/** @param service where the API is, once it is known */
export async function serveLinkPage(
  service: () => { readonly url: string; readonly tenantId: string },
): Promise<LinkPage> {
  const requests: string[] = [];
  const site: Server = createServer((request, response) => {
    requests.push(request.method ?? '');
    response.setHeader('content-type', 'text/html').end(pageOf(service()));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, requests, close: () => site.close() };
}

/**
 * Stores the flow that it starts in the browser's storage. When opened by a link, it offers a button to the browser
 * that started the flow. To other browsers it shows the time and the browser of the message, a field for its code,
 * and a disabled button. With an invitation, it offers to set a password, and a code by email.
 */
function pageOf({ url, tenantId }: { readonly url: string; readonly tenantId: string }): string {
  const settings = JSON.stringify({ api: `${url}/api/sso/v1/auth/flows`, tenantId });
  return `<!doctype html><title>Log in</title><main id="main"></main>
<script>
  const { api, tenantId } = ${settings};
  const main = document.getElementById('main');
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [linkToken, invitation] = [fragment.get('link_token'), fragment.get('token')];

  async function post(path, body) {
    const headers = { 'content-type': 'application/json', 'x-tenant-id': tenantId };
    const answer = await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  }
  function show(text, ...elements) {
    main.replaceChildren(Object.assign(document.createElement('p'), { textContent: text }), ...elements);
    main.dataset.shown = Number(main.dataset.shown || 0) + 1;
  }
  function form(label, submit, type) {
    const form = document.createElement('form');
    form.innerHTML = (type ? '<input name="given" type="' + type + '">' : '') + '<button></button>';
    form.lastChild.textContent = label;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit(form.elements.given && form.elements.given.value);
    });
    return form;
  }
  const outcome = ({ flow, code, user }) =>
    flow && flow.status === 'complete' ? 'Welcome, ' + user.id : 'Not logged in: ' + code;

  function begin() {
    show('Log in', form('Send me a mail', async (identifier) => {
      const { flow, flow_token } = await post('', { identifier, register: true });
      localStorage.setItem('flow', JSON.stringify({ id: flow.id, flow_token }));
      await post('/' + flow.id + '/message', { flow_token });
      show('A mail was sent.');
    }, 'email'));
  }
  function finish({ id, flow_token }) {
    const submit = async () => show(outcome(await post('/' + id + '/link', { flow_token, link_token: linkToken })));
    show('Continue?', form('Log in', submit));
  }
  async function elsewhere() {
    const { flow, flow_token, origin } = await post('', { continue: linkToken });
    if (!flow) return show('This link is no longer valid.');
    const forms = () => [form('Log in', submit, 'text'), form('Log in by the link', careless)];
    const again = (answer) => show(outcome(answer), ...forms());
    const submit = async (code) => again(await post('/' + flow.id + '/code', { flow_token, code }));
    // What a careless page would do.
    const careless = async () =>
      again(await post('/' + flow.id + '/link', { flow_token, link_token: linkToken }));
    show('Asked for at ' + origin.begun_at + ' in ' + origin.user_agent, ...forms());
  }

  async function accept() {
    const { flow, flow_token, invitation: to } = await post('', { purpose: 'invitation', token: invitation });
    if (!flow) return show('This link is no longer valid.');
    const again = (answer) => show(outcome(answer), ...forms());
    const join = async (secret) => again(await post('/' + flow.id + '/new-password', { flow_token, secret }));
    const mail = async () => again(await post('/' + flow.id + '/message', { flow_token }));
    const enter = async (code) => again(await post('/' + flow.id + '/code', { flow_token, code }));
    const forms = () => [
      form('Set password', join, 'text'), form('Send me a code', mail), form('Use the code', enter, 'text'),
    ];
    show('You are invited as ' + to.identifier, ...forms());
  }

  const kept = localStorage.getItem('flow');
  if (invitation) accept();
  else if (!linkToken) begin();
  else if (kept) finish(JSON.parse(kept));
  else elsewhere();
</script>`;
}
