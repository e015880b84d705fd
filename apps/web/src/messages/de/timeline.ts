import type { Messages } from '../messages.ts'
import { counted, number } from './words.ts'

export const timeline: Messages['timeline'] = {
  title: 'Zeitachse',
  withDone: 'Erledigtes anzeigen',
  zoom: 'Maßstab',
  zooms: { days: 'Tage', weeks: 'Wochen', months: 'Monate', quarters: 'Quartale' },
  today: 'Heute',
  empty: 'Hier hat noch nichts ein Datum.',
  emptyLead:
    'Sprints mit Beginn und Ende und Karten mit Fälligkeit erscheinen hier und lassen sich dann mit der Maus verschieben.',
  smallChanges: 'Kleine Änderungen',
  fold: title => `${title} einklappen`,
  unfold: title => `${title} ausklappen`,
  undated: 'Ohne Datum',
  undatedLead: 'Sprints, die weder Beginn noch Ende haben.',
  setDates: 'Daten festlegen',
  setDatesOf: ref => `Daten festlegen: ${ref}`,
  starts: 'Beginn',
  ends: 'Ende',
  due: 'Fällig',
  changeDates: ref => `Daten von ${ref}`,
  changed: (ref, dates) => `${ref}: ${dates}`,
  span: (from, to) => `${from} bis ${to}`,
  from: day => `ab ${day}`,
  until: day => `bis ${day}`,
  dueOn: day => `fällig am ${day}`,
  progress: (done, total) => `${number(done)} von ${counted(total, 'Karte', 'Karten')} erledigt`,
  late: 'verspätet',
  hint: 'Pfeiltasten verschieben es, Umschalt mit Pfeil verschiebt das Ende, Enter speichert, Escape stellt es zurück, D öffnet die Daten. Enter öffnet den Eintrag, solange nichts geändert ist.',
  hintDue:
    'Pfeiltasten verschieben es, Enter speichert, Escape stellt es zurück, D öffnet das Datum. Enter öffnet den Eintrag, solange nichts geändert ist.',
  unsaved: 'Enter speichert, Escape stellt zurück',
  rows: 'Specs, Sprints und fällige Karten nach Datum',
  outOfOrder: 'In falscher Reihenfolge geplant',
  before: (waiting, awaited) => `${waiting} liegt vor ${awaited}, wartet aber darauf`,
  legend: {
    derived: 'Aus Sprints und Karten abgeleitet',
    waits: 'Wartet auf',
    odds: 'Vor dem geplant, worauf es wartet',
  },
  keys: { today: 'Zu heute', larger: 'Größerer Maßstab', smaller: 'Kleinerer Maßstab' },
}
