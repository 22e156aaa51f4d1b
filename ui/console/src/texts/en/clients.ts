import type { Message } from '../format.ts';

export const clients = {
  // What an application needs
  clientCode: 'Code',
  // Whether a redirect URI is accepted
  redirectCheck: 'Test a redirect URI',
  redirectSent: 'What the application sends as redirect_uri',
  redirectHint: 'It is compared in this browser: nothing is sent.',
  redirectAccepted: 'Accepted',
  redirectRefused: 'Refused',
  'redirect.accepted': 'It is registered, character by character.',
  'redirect.anyPort':
    'It is registered, and a native client may use any port of the loopback address.',
  'redirect.differs': 'It is compared character by character, and differs:',
  'redirect.noneRegistered': 'No redirect URI is registered.',
  'redirect.encoded': 'It is percent-encoded: paste the value as it was before.',
  'redirect.notAddress': 'It is not an absolute address, such as https://app.example.com/callback.',
  redirectNearest: 'Nearest registered:',
  'part.scheme': 'Scheme',
  'part.user': 'User name',
  'part.host': 'Host',
  'part.port': 'Port',
  'part.path': 'Path',
  'part.slash': 'Slash at the end',
  'part.case': 'Upper and lower case',
  'part.query': 'Query',
  'part.fragment': 'Fragment',
  redirectYours: 'Sent:',
  redirectTheirs: 'Registered:',
  redirectPortHint:
    'Only a native client may use any port, and only at the loopback address by http.',
  redirectFragmentHint: 'A redirect URI has no fragment.',
  // Code of an application
  snippetFor: 'Framework',
  'snippet.express': 'Express',
  'snippet.nextjs': 'Next.js, with Auth.js',
  'snippet.spring': 'Spring Boot',
  'snippet.openid': 'Any server, with openid-client',
  'snippet.spa': 'Page without a server',
  'snippet.native': 'Program on a device',
  'snippet.device': 'Device without a browser',
  snippetUnfit: 'This is for a client of another kind, or with other grants.',
  snippetInstall: 'Packages to install:',
  snippetUnregistered: 'Register this redirect URI first:',
  // Who allowed it
  allowedBy: 'Allowed by',
  allowedByEmpty: 'No user has allowed it anything yet.',
  // What an application is
  appKinds: 'What is the application?',
  'app.web': 'Web application',
  'app.spa': 'Page without a server',
  'app.native': 'Native app',
  'app.device': 'Device or command line',
  'app.machine': 'Machine',
  'app.document': 'MCP client or other software with a document',
  'purpose.web': 'It runs on a server, which keeps a secret: Express, Next.js, Spring, Rails, PHP.',
  'purpose.spa': 'It runs in the browser alone, and has no secret: its login is protected by PKCE.',
  'purpose.native':
    'It runs on its user’s device, opens the browser of the system for the login, and has no secret.',
  'purpose.device': 'It has no browser: its user types a short code on another device.',
  'purpose.machine':
    'A service or a job without a user. It is an agent, with an API key or a proof of its own.',
  'purpose.document':
    'Nobody registers it: its client id is the https address of a document that describes it, such as that of an MCP client. You say which hosts may have one.',
  documentsAdmitted: 'Who may have a document',
  documentsElse: 'Software that has no web site registers itself, with one of your',
  // Fields
  'name.first_party': 'First party',
  'name.post_logout_redirect_uris': 'Post logout redirect URIs',
  'name.token_endpoint_auth_method': 'Token endpoint auth method',
  'name.backchannel_logout_uri': 'Backchannel logout URI',
  'name.oauth_client_domains': 'OAuth client domains',
  'name.oauth_metadata_documents': 'OAuth metadata documents',
} as const satisfies Readonly<Record<string, Message>>;
