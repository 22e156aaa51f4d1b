import type { tenant as english } from '../en/tenant.ts';
import type { Translation } from '../format.ts';

export const tenant: Translation<typeof english> = {
  // Audit
  action: 'Acción',
  outcome: 'Resultado',
  'outcome.success': 'Éxito',
  'outcome.failure': 'Fallo',
  'outcome.denied': 'Denegado',
  actor: 'Quién',
  onBehalfOf: 'por',
  target: 'Sobre qué',
  when: 'Cuándo',
  auditEmpty: 'Nada todavía.',
  ipAddress: 'Dirección',
  chainPosition: 'Lugar en la cadena',
  notSealed: 'se sella en segundos',
  hash: 'Hash',
  around: 'Todo alrededor de esto',
  auditHint:
    'Cada entrada queda sellada en una cadena: ninguna puede cambiarse ni omitirse sin que se note.',
  from: 'Desde',
  to: 'Hasta',
  export: 'Exportar',
  exporting: 'Exportando …',

  // Settings
  'group.logins': 'Inicio de sesión',
  'group.passwords': 'Contraseñas',
  'group.oauth': 'OAuth',
  'group.limits': 'Límites',
  'group.others': 'Otros',
  branding: 'Imagen',
  issuer: 'Emisor',
  domains: 'Dominios',

  // Overview
  overviewNothing:
    'Sus roles no le permiten leer nada de esta organización aquí. Un administrador puede darle otros.',
  inNumbers: 'En cifras',
  liveSessions: 'Sesiones en curso',
  setUp: 'Por configurar',
  stepDone: 'Hecho',
  stepOpen: 'Pendiente',
  'step.mail': 'Un servidor de correo, para que los enlaces y códigos lleguen a los usuarios',
  'step.domain': 'Un dominio propio',
  'step.branding': 'El nombre y los colores de sus páginas',
  'step.client': 'Una primera aplicación en la que los usuarios inicien sesión',
  'step.administrator': 'Un segundo administrador',
  welcome: 'Le damos la bienvenida',
  welcomeLead:
    'Ha iniciado sesión como {name}. Un enlace así funciona una sola vez: con una llave de acceso no necesitará ni el enlace ni la contraseña mostrada.',
  passkeyCreate: 'Crear una llave de acceso',
  notNow: 'Ahora no',
  passkeyAdded: 'Llave de acceso añadida. Desde ahora inicia sesión con ella.',
  recoveryCodes: 'Sus códigos de recuperación',
  passkeyFailed:
    'Este navegador no ha creado ninguna llave de acceso. Inténtelo de nuevo, o más tarde en su cuenta.',
  recent: 'Cambios recientes',
};
