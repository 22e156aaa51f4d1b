import type { clients as english } from '../en/clients.ts';
import type { Translation } from '../format.ts';

export const clients: Translation<typeof english> = {
  // What an application needs
  clientCode: 'Code',
  // Whether a redirect URI is accepted
  redirectCheck: 'Redirect-URI prüfen',
  redirectSent: 'Was die Anwendung als redirect_uri sendet',
  redirectHint: 'Verglichen wird in diesem Browser: Es wird nichts gesendet.',
  redirectAccepted: 'Angenommen',
  redirectRefused: 'Abgelehnt',
  'redirect.accepted': 'Sie ist Zeichen für Zeichen so registriert.',
  'redirect.anyPort':
    'Sie ist registriert, und ein nativer Client darf jeden Port der Loopback-Adresse verwenden.',
  'redirect.differs': 'Sie wird Zeichen für Zeichen verglichen und weicht ab:',
  'redirect.noneRegistered': 'Es ist keine Redirect-URI registriert.',
  'redirect.encoded': 'Sie ist prozentkodiert: Fügen Sie den Wert ein, wie er vorher war.',
  'redirect.notAddress': 'Das ist keine absolute Adresse wie https://app.example.com/callback.',
  redirectNearest: 'Ähnlichste registrierte:',
  'part.scheme': 'Schema',
  'part.user': 'Benutzername',
  'part.host': 'Host',
  'part.port': 'Port',
  'part.path': 'Pfad',
  'part.slash': 'Schrägstrich am Ende',
  'part.case': 'Groß- und Kleinschreibung',
  'part.query': 'Query',
  'part.fragment': 'Fragment',
  redirectYours: 'Gesendet:',
  redirectTheirs: 'Registriert:',
  redirectPortHint:
    'Nur ein nativer Client darf jeden Port verwenden, und nur an der Loopback-Adresse über http.',
  redirectFragmentHint: 'Eine Redirect-URI hat kein Fragment.',
  // Code of an application
  snippetFor: 'Framework',
  'snippet.express': 'Express',
  'snippet.nextjs': 'Next.js mit Auth.js',
  'snippet.spring': 'Spring Boot',
  'snippet.openid': 'Beliebiger Server mit openid-client',
  'snippet.spa': 'Seite ohne Server',
  'snippet.native': 'Programm auf einem Gerät',
  'snippet.device': 'Gerät ohne Browser',
  snippetUnfit: 'Das ist für einen Client anderer Art oder mit anderen Grants.',
  snippetInstall: 'Zu installierende Pakete:',
  snippetUnregistered: 'Registrieren Sie zuerst diese Redirect-URI:',
  // Who allowed it
  allowedBy: 'Erlaubt von',
  allowedByEmpty: 'Noch hat ihm kein Benutzer etwas erlaubt.',
  // What an application is
  appKinds: 'Was ist die Anwendung?',
  'app.web': 'Webanwendung',
  'app.spa': 'Seite ohne Server',
  'app.native': 'Native App',
  'app.device': 'Gerät oder Kommandozeile',
  'app.machine': 'Maschine',
  'app.document': 'MCP-Client oder andere Software mit einem Dokument',
  'purpose.web':
    'Sie läuft auf einem Server, der ein Geheimnis hütet: Express, Next.js, Spring, Rails, PHP.',
  'purpose.spa': 'Sie läuft allein im Browser und hat kein Geheimnis: PKCE schützt ihre Anmeldung.',
  'purpose.native':
    'Sie läuft auf dem Gerät des Benutzers, öffnet zur Anmeldung den Browser des Systems und hat kein Geheimnis.',
  'purpose.device':
    'Es hat keinen Browser: Der Benutzer gibt einen kurzen Code auf einem anderen Gerät ein.',
  'purpose.machine':
    'Ein Dienst oder ein Job ohne Benutzer. Sie ist ein Agent mit einem API-Schlüssel oder einem eigenen Nachweis.',
  'purpose.document':
    'Niemand registriert sie: Ihre Client-ID ist die https-Adresse eines Dokuments, das sie beschreibt, etwa eines MCP-Clients. Sie bestimmen, welche Hosts eines haben dürfen.',
  documentsAdmitted: 'Wer ein Dokument haben darf',
  documentsElse: 'Software ohne Website registriert sich selbst, mit einem Ihrer',
  // Fields
  'name.first_party': 'Eigene Anwendung',
  'name.post_logout_redirect_uris': 'Redirect-URIs nach der Abmeldung',
  'name.token_endpoint_auth_method': 'Authentifizierung am Token-Endpunkt',
  'name.backchannel_logout_uri': 'Adresse für Back-Channel-Logout',
  'name.oauth_client_domains': 'Hosts von Client-Dokumenten',
  'name.oauth_metadata_documents': 'Zugelassene Client-Dokumente',
};
