import type { Messages } from '../messages.ts'
import { counted, number } from './words.ts'

const cards = (count: number) => counted(count, 'Karte', 'Karten')

export const dependencies: Messages['dependencies'] = {
  title: 'Abhängigkeiten',
  of: 'Karten von',
  withDone: 'Erledigtes anzeigen',
  views: { label: 'Darstellung', graph: 'Graph', table: 'Tabelle' },
  empty: 'Keine Karte wartet auf eine andere.',
  emptyLead:
    'Auf einer Karte lässt sich mit „Abhängigkeit hinzufügen“ festlegen, worauf sie wartet. Dann erscheint hier die Reihenfolge der Arbeit.',
  emptyHere: 'Keine offene Karte wartet hier auf eine andere.',
  tooMany: count =>
    `${cards(count)} sind zu viele für eine Zeichnung. Für eine Spec oder einen Sprint wird der Graph gezeichnet.`,
  figures: {
    path: 'Kritischer Pfad',
    pathNone: 'keiner',
    waiting: 'Warten auf andere',
    most: 'Blockiert am meisten',
    alone: 'Ohne Verbindung',
    ofOpen: count => `von ${number(count)} offenen`,
    inARow: 'nacheinander',
    blocked: count => `${cards(count)} ${count === 1 ? 'wartet' : 'warten'}`,
  },
  holdsUp: 'Was am meisten blockiert',
  blocks: count => `hält ${cards(count)} auf`,
  graph: 'Welche Karte auf welche wartet',
  graphHint: 'Pfeiltasten folgen den Linien, Enter öffnet eine Karte.',
  legend: { critical: 'Kritischer Pfad', waits: 'Wartet auf die davor', outside: 'Außerhalb der Auswahl' },
  waitsFor: count => `wartet auf ${cards(count)}`,
  onPath: 'auf dem kritischen Pfad',
  outside: 'außerhalb der Auswahl',
  zoomIn: 'Größer',
  zoomOut: 'Kleiner',
  table: {
    card: 'Karte',
    status: 'Status',
    waitsFor: 'Wartet auf',
    waiting: 'Darauf warten',
    inAll: 'Hält auf',
    path: 'Kritischer Pfad',
    yes: 'ja',
  },
  keys: { view: 'Graph oder Tabelle', critical: 'Erste Karte des kritischen Pfads' },
}
