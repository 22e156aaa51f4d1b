import type { clients as english } from '../en/clients.ts';
import type { Translation } from '../format.ts';

export const clients: Translation<typeof english> = {
  // What an application needs
  clientCode: 'Código',
  // Whether a redirect URI is accepted
  redirectCheck: 'Probar una URI de redirección',
  redirectSent: 'Lo que la aplicación envía como redirect_uri',
  redirectHint: 'Se compara en este navegador: no se envía nada.',
  redirectAccepted: 'Aceptada',
  redirectRefused: 'Rechazada',
  'redirect.accepted': 'Está registrada, carácter por carácter.',
  'redirect.anyPort':
    'Está registrada, y un cliente nativo puede usar cualquier puerto de la dirección de bucle local.',
  'redirect.differs': 'Se compara carácter por carácter y difiere:',
  'redirect.noneRegistered': 'No hay ninguna URI de redirección registrada.',
  'redirect.encoded': 'Está codificada con porcentajes: pegue el valor tal como era antes.',
  'redirect.notAddress': 'No es una dirección absoluta como https://app.example.com/callback.',
  redirectNearest: 'La registrada más parecida:',
  'part.scheme': 'Esquema',
  'part.user': 'Nombre de usuario',
  'part.host': 'Host',
  'part.port': 'Puerto',
  'part.path': 'Ruta',
  'part.slash': 'Barra final',
  'part.case': 'Mayúsculas y minúsculas',
  'part.query': 'Consulta',
  'part.fragment': 'Fragmento',
  redirectYours: 'Enviado:',
  redirectTheirs: 'Registrado:',
  redirectPortHint:
    'Solo un cliente nativo puede usar cualquier puerto, y solo en la dirección de bucle local por http.',
  redirectFragmentHint: 'Una URI de redirección no tiene fragmento.',
  // Code of an application
  snippetFor: 'Framework',
  'snippet.express': 'Express',
  'snippet.nextjs': 'Next.js, con Auth.js',
  'snippet.spring': 'Spring Boot',
  'snippet.openid': 'Cualquier servidor, con openid-client',
  'snippet.spa': 'Página sin servidor',
  'snippet.native': 'Programa en un dispositivo',
  'snippet.device': 'Dispositivo sin navegador',
  snippetUnfit: 'Es para un cliente de otro tipo o con otros grants.',
  snippetInstall: 'Paquetes que instalar:',
  snippetUnregistered: 'Registre primero esta URI de redirección:',
  // Who allowed it
  allowedBy: 'Permitido por',
  allowedByEmpty: 'Ningún usuario le ha permitido nada todavía.',
  // What an application is
  appKinds: '¿Qué es la aplicación?',
  'app.web': 'Aplicación web',
  'app.spa': 'Página sin servidor',
  'app.native': 'Aplicación nativa',
  'app.device': 'Dispositivo o línea de comandos',
  'app.machine': 'Máquina',
  'app.document': 'Cliente MCP u otro software con un documento',
  'purpose.web':
    'Se ejecuta en un servidor, que guarda un secreto: Express, Next.js, Spring, Rails, PHP.',
  'purpose.spa':
    'Se ejecuta solo en el navegador y no tiene secreto: PKCE protege su inicio de sesión.',
  'purpose.native':
    'Se ejecuta en el dispositivo del usuario, abre el navegador del sistema para iniciar sesión y no tiene secreto.',
  'purpose.device': 'No tiene navegador: el usuario escribe un código corto en otro dispositivo.',
  'purpose.machine':
    'Un servicio o una tarea sin usuario. Es un agente, con una clave de API o una prueba propia.',
  'purpose.document':
    'Nadie lo registra: su id de cliente es la dirección https de un documento que lo describe, como el de un cliente MCP. Usted decide qué hosts pueden tener uno.',
  documentsAdmitted: 'Quién puede tener un documento',
  documentsElse: 'El software sin sitio web se registra a sí mismo, con uno de sus',
  // Fields
  'name.first_party': 'Aplicación propia',
  'name.post_logout_redirect_uris': 'URI de redirección tras cerrar la sesión',
  'name.token_endpoint_auth_method': 'Autenticación en el endpoint de tokens',
  'name.backchannel_logout_uri': 'Dirección de cierre de sesión back-channel',
  'name.oauth_client_domains': 'Hosts de documentos de clientes',
  'name.oauth_metadata_documents': 'Documentos de clientes admitidos',
};
