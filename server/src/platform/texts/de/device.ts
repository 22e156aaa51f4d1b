import type { DEVICE as English } from '../en/device.ts';
import type { Translated } from '../keys.ts';

export const DEVICE: Translated<typeof English> = {
  'device.title': 'Ein Gerät verbinden',
  'device.lead': 'Geben Sie den Code ein, den das Gerät anzeigt.',
  'device.lead_given':
    'Vergleichen Sie diesen Code mit dem, den Ihr Gerät anzeigt. Fahren Sie nur fort, wenn Sie dieses Gerät vor sich haben.',
  'device.code': 'Code des Geräts',
  'device.continue': 'Weiter',
  'device.warning':
    'Wenn Ihnen jemand den Code geschickt hat, schließen Sie diese Seite: Diese Person wäre sonst als Sie angemeldet.',
  'device.wrong':
    'Kein Gerät wartet mit diesem Code. Vielleicht ist er abgelaufen: Beginnen Sie am Gerät von vorn.',
  'device.asks': 'Ein Gerät bittet darum',
  'device.shows': 'Es zeigt den Code <b>{code}</b> an.',
  'device.begun':
    'Es hat {minutes, plural, =0 {gerade eben} one {vor # Minute} other {vor # Minuten}} von der Adresse <b>{address}</b> aus gefragt.',
  'device.check':
    'Erlauben Sie es nur, wenn Sie selbst begonnen haben, an einem Gerät, das Sie vor sich haben.',
  'device.done_title': 'Das Gerät ist verbunden',
  'device.done': 'In wenigen Sekunden sind Sie dort angemeldet. Sie können diese Seite schließen.',
  'device.denied_title': 'Das Gerät ist nicht verbunden',
  'device.denied': 'Es wurde nichts erlaubt. Sie können diese Seite schließen.',
  'device.over_title': 'Dieser Code kann nicht mehr verwendet werden',
  'device.over':
    'Er ist abgelaufen, oder es wurde schon entschieden. Beginnen Sie am Gerät von vorn.',
  'device.refused': 'Dieses Konto kann nicht erlauben, worum das Gerät bittet.',
};
