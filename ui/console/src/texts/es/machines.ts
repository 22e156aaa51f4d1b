import type { machines as english } from '../en/machines.ts';
import type { Translation } from '../format.ts';

export const machines: Translation<typeof english> = {
  // Agents
  agentsEmpty: 'Un agente es un programa con permisos propios.',
  workspace: 'Espacio de trabajo',
  owner: 'Propietario',

  // Agents and their keys
  agent: 'Agente',
  agentCreate: 'Crear agente',
  enableAgentHint: 'Sus claves que no han caducado vuelven a valer.',
  disableAgentHint: 'Ni sus claves ni sus tokens valen hasta que se active de nuevo:',
  deleteAgentHint:
    'Sus claves, y las delegaciones que tiene, se eliminan con él. No se puede deshacer.',
  apiKeyCreate: 'Crear clave de API',
  apiKeysEmpty: 'Aún no hay claves. Una clave es un secreto con el que el agente llama a la API.',
  allOfAgent: 'todos los del agente',
  addresses: 'Direcciones',
  rotateKeyHint: 'Se crea una clave nueva y se muestra una vez.',
  revokeKeyHint:
    'Se rechaza desde la próxima petición. Los servicios que verifican por sí mismos lo saben en segundos.',

  // Signing keys
  signingKeysHint: 'Firman los tokens que cada servicio verifica por sí mismo.',
  algorithm: 'Algoritmo',
  signsFrom: 'Firma desde',
  'key.next': 'Siguiente',
  'key.current': 'Firma',
  'key.previous': 'Anterior',
  'key.retired': 'Retirada',
  rotateSigningHint:
    'Se publica ahora una clave nueva, que firma cuando todos los que verifican la conocen.',
  rotateNow: 'Rotar de inmediato',
  rotateNowTitle: '¿Rotar {name} de inmediato?',
  rotateNowHint:
    'Para una clave comprometida. La nueva firma de inmediato: quienes tienen una copia más antigua de las claves rechazan sus tokens hasta que las lean de nuevo.',
  retire: 'Retirar',
  retireTitle: '¿Retirar esta clave?',
  retireHint:
    'Todos los tokens que firmó se rechazan desde ahora, y su clave privada se destruye. Las sesiones siguen al renovarse.',
  retired: 'Clave retirada.',

  // OAuth clients
  clientCreate: 'Registrar cliente',
  clientsEmpty: 'Un cliente es una aplicación en la que los usuarios inician sesión.',
  'group.security': 'Seguridad y tokens',
  'group.about': 'Visible para los usuarios',
  redirectUris: 'URI de redirección',
  'client.web': 'Web, en un servidor',
  'client.spa': 'En un navegador',
  'client.native': 'En un dispositivo',
  secrets: 'Secretos',
  secretsEmpty: 'No tiene secreto.',
  secretCreate: 'Crear secreto',
  secretCreateTitle: '¿Crear otro secreto?',
  secretCreateHint: 'Para una rotación: ambos valen hasta que se elimine uno.',
  secretCreated: 'Secreto creado.',
  secretDeleteTitle: '¿Eliminar este secreto?',
  secretDeleteHint: 'Se rechaza desde la próxima petición.',
  secretDeleted: 'Secreto eliminado.',
  deleteClientHint:
    'Sus secretos y los consentimientos de los usuarios se eliminan con él, y sus sesiones terminan. No se puede deshacer.',

  // Webhooks
  webhookCreate: 'Registrar webhook',
  webhooksEmpty: 'Un webhook es una dirección a la que se envían eventos.',
  address: 'Dirección',
  events: 'Eventos',
  event: 'Evento',
  failing: 'Con fallos',
  failingSince: 'Con fallos desde',
  disabledByService: 'Desactivado por el servicio',
  disabledReason: 'Por qué lo desactivó el servicio',
  overlapEnds: 'El secreto anterior vale hasta',
  deliveries: 'Entregas',
  deliveriesEmpty: 'Aún no se ha enviado nada.',
  'delivery.pending': 'Pendiente',
  'delivery.delivered': 'Entregado',
  'delivery.failed': 'Fallido',
  attempts: 'Intentos',
  answer: 'Respuesta',
  lastAttempt: 'Último intento',
  attempt: 'Intento',
  tookMs: '{ms} ms',
  nextAttempt: 'Próximo intento',
  webhookTest: 'Enviar una prueba',
  webhookTestTitle: '¿Enviar un evento de prueba?',
  webhookTestHint:
    'Se envía un evento webhook.test solo a esta dirección. Su entrega muestra el resultado.',
  webhookTested: 'Evento de prueba en cola.',
  webhookRotate: 'Rotar secreto',
  webhookRotateHint:
    'Se crea un secreto nuevo, que se muestra una vez. Ambos firman hasta que termina el anterior.',
  deleteWebhookHint: 'No se le envía nada más, y sus entregas ya no se pueden leer.',
  sendAgain: 'Enviar de nuevo',
  sendAgainTitle: '¿Enviar de nuevo este evento?',
  sendAgainHint: 'Empieza otra vez por el primer intento, fuera cual fuera el resultado.',
  sentAgain: 'Evento en cola.',
  replayAfter: 'Repetir desde aquí',
  replayTitle: '¿Enviar de nuevo todo lo posterior a este evento?',
  replayHint:
    'Se envían de nuevo, en orden, hasta 1.000 eventos a los que el webhook está suscrito.',
  replayed: {
    one: '{count} evento en cola.',
    many: '{count} eventos en cola.',
    other: '{count} eventos en cola.',
  },
  replayMore: 'Hay más: repita desde el último de ellos.',
};
