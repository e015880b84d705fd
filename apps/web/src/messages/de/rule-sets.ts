import type { Messages } from '../messages.ts'
import { number } from './words.ts'

export const ruleSets: Messages['ruleSets'] = {
  title: 'Regelsätze',
  names: { light: 'Locker', usual: 'Üblich', strict: 'Streng' },
  leads: {
    light: 'Agenten schließen ab, was sie beginnen; nichts muss geprüft oder abgedeckt sein',
    usual: 'Specs sind abgedeckt, Bugs haben Tests; niemand muss prüfen',
    strict: 'jemand anderes prüft Specs und Karten, und ein beobachteter Lauf weist nach, was geht',
  },
  same: 'Gesetzt',
  changes: count => (count === 1 ? '1 Regel ändert sich' : `${number(count)} Regeln ändern sich`),
  lead: 'Diese Regeln ändern sich sofort. Jede lässt sich weiter einzeln ändern.',
  apply: 'Regeln setzen',
  yes: 'ja',
  no: 'nein',
}
