import type { Messages } from '../messages.ts'
import { counted, number } from './words.ts'

export const coverage: Messages['coverage'] = {
  title: ref => `Abdeckung von ${ref}`,
  lead: 'Was wodurch abgedeckt ist, wie die Gates es sehen. Eine Zelle verknüpft eine Karte mit einem Punkt oder löst die Verknüpfung.',
  requirements: 'Anforderungen und die Regeln dazu',
  criteria: 'Akzeptanzkriterien und die Szenarien, die sie zeigen',
  types: {
    scenario: 'Szenarien nach Karte',
    business_rule: 'Regeln nach Karte',
    technical_requirement: 'Technische Anforderungen nach Karte',
    api_contract: 'API-Verträge nach Karte',
    decision: 'Entscheidungen nach Karte',
  },
  item: 'Punkt',
  gap: 'Noch nichts',
  noneCounts: 'Keine, die zählt',
  proof: 'Nachweis',
  testsAlone: 'Nur Testkarten decken Szenarien ab.',
  doesNotCount: 'Diese Karte zählt hier nicht',
  skipped: 'Nicht verlangt',
  covered: (done, total) => `${number(done)} von ${number(total)} abgedeckt`,
  link: (item, ref) => `${item}: ${ref}`,
  addTest: scenario => `Neue Testkarte: ${scenario}`,
  nameIn: sentence => `Zuordnen: ${sentence}`,
  name: { business_rules: 'Einer Regel zuordnen …', test_scenarios: 'Einem Szenario zuordnen …' },
  tests: {
    title: 'Tests der Szenarien',
    lead: 'Ein Test wird durch das Ende seiner Adresse benannt; * steht für beliebige Zeichen eines Teils, ** auch über Teile hinweg.',
    counted: 'Im neuesten Bericht gezählt:',
    addTo: scenario => `Test hinzufügen zu ${scenario}`,
    remove: pattern => `${pattern} entfernen`,
    count: total => counted(total, 'Test', 'Tests'),
    matching: total => `Passt auf ${counted(total, 'Test', 'Tests')} des neuesten Berichts.`,
  },
  noCards: 'Diese Spec hat noch keine Karten.',
  nothing: 'Diese Spec hat noch keine Punkte.',
}
