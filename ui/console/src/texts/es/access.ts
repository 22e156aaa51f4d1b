import type { access as english } from '../en/access.ts';
import type { Translation } from '../format.ts';

export const access: Translation<typeof english> = {
  // Explain
  explain: 'Explicar',
  explainHint:
    '¿Puede alguien hacer algo, y por qué? Se muestra cada eslabón, y se marca el que lo deniega.',
  explainWhom: 'Usuario o agente: un id o un correo',
  explainAsk: 'Explicar',
  explainAllowed: 'Permitido',
  explainRefused: 'Denegado',
  explainNobody: 'Nadie tiene esta dirección.',
  explainOpen: 'No alcanzado',
  explainHolds: 'Pasa',
  explainRefuses: 'Deniega aquí',
  'link.user': 'Usuario',
  'link.agent': 'Agente',
  'link.workspace': 'Espacio de trabajo',
  'link.role': 'Rol',
  'link.nothing': 'Ningún rol ni scope lo concede',
  'link.scope': 'Permiso',
  explainBy: 'por {scope}',
  explainRemoved: 'La quitó este cambio:',
  // Roles
  matrix: 'Matriz',
  matrixEmpty: 'nada',
  compare: 'Comparar',
  compareFirst: 'Primer rol',
  compareSecond: 'Segundo rol',
  compareOnly: 'Solo {name}',
  compareBoth: 'Ambos',
  whatIf: 'Qué cambia con esto',
  whatIfNobody: 'Nadie tiene aún este rol.',
  whatIfCount: {
    one: '{count} usuario tiene este rol. Sus tokens se rechazan; al renovar se obtienen otros.',
    many: '{count} usuarios tienen este rol. Sus tokens se rechazan; al renovar se obtienen otros.',
    other:
      '{count} usuarios tienen este rol. Sus tokens se rechazan; al renovar se obtienen otros.',
  },
  whatIfAgents:
    'Los agentes tienen sus propios scopes y los conservan. Lo que los usuarios les delegaron sigue a lo que ellos tienen.',
  gains: 'Gana',
  loses: 'Pierde',
  // Bulk actions on users
  select: 'Seleccionar {name}',
  selected: {
    one: '{count} seleccionado',
    many: '{count} seleccionados',
    other: '{count} seleccionados',
  },
  selectPage: 'Seleccionar esta página',
  clearSelection: 'Quitar la selección',
  giveRole: 'Dar un rol',
  bulkTitle: {
    one: '{verb}: {count} usuario',
    many: '{verb}: {count} usuarios',
    other: '{verb}: {count} usuarios',
  },
  bulkDependents: 'Lo que termina con ellos, sumado:',
  bulkProgress: '{done} de {count}',
  bulkDone: {
    one: 'Hecho: {count} usuario.',
    many: 'Hecho: {count} usuarios.',
    other: 'Hecho: {count} usuarios.',
  },
  bulkFailed: {
    one: '{count} falló y sigue seleccionado:',
    many: '{count} fallaron y siguen seleccionados:',
    other: '{count} fallaron y siguen seleccionados:',
  },
  columnsShown: 'Columnas',
  // A user
  consents: 'Aplicaciones conectadas',
  consentsEmpty: 'Ninguna aplicación tiene permiso.',
  application: 'Aplicación',
  consentEnd: 'Desconectar',
  consentEndTitle: '¿Desconectar {name}?',
  consentEndHint:
    'Sus sesiones de este usuario terminan al momento y tendrá que volver a pedir permiso.',
  consentEnded: 'Se desconectó {name}.',
  delegationsEmpty: 'No hay delegaciones vigentes.',
  recoverSend: 'Enviar un enlace de recuperación',
  recoverTitle: '¿Enviar a {name} un enlace de recuperación?',
  recoverHint:
    'Llega a su primera dirección verificada. Con él se pone una contraseña nueva, tras el segundo factor si lo hay. Antes no cambia nada.',
  recoverSent: 'Enviado a {address}.',
};
