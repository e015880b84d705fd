import type { Messages } from '../messages.ts'
import { counted, number } from './words.ts'

const tenths = (value: number): string => number(Math.round(value * 10) / 10)

export const analytics: Messages['analytics'] = {
  more: count => `${number(count)} weitere anzeigen`,
  title: 'Auswertung',
  from: 'Von',
  to: 'Bis',
  csv: 'Als CSV herunterladen',
  asTable: 'Als Tabelle anzeigen',
  asChart: 'Als Diagramm anzeigen',
  stage: 'Stufe',
  count: 'Anzahl',
  hours: 'Stunden',
  none: 'Noch nichts anzuzeigen',
  noneLead: 'Zahlen erscheinen mit den ersten Karten, an denen gearbeitet wird.',
  funnel: 'Von der Idee bis zum Ergebnis',
  stages: {
    ideations: 'Ideations',
    refinements: 'Refinements',
    specs: 'Specs',
    sprints: 'Sprints',
    cards: 'Karten',
    done: 'Karten erledigt',
  },
  stats: {
    done: 'Erledigt',
    shown: 'im gezeigten Zeitraum',
    open: 'Offen',
    of: total => `von ${number(total)}`,
    cycle: 'im Durchschnitt',
    firstPass: 'Auf Anhieb richtig',
    judged: count => `von ${counted(count, 'geprüften Karte', 'geprüften Karten')}`,
    bugs: 'Offene Bugs',
  },
  unfinished: 'Noch nicht vorbei',
  ageing: {
    title: 'Alternde Arbeit',
    lead: 'Tage in der jetzigen Spalte, ein Punkt je Karte',
    card: 'Karte',
    since: 'In dieser Spalte',
    hint: 'Jeder Punkt führt zu seiner Karte.',
    mark: (ref, title, time) => `${ref} ${title}: ${time}`,
  },
  velocity: 'Durchsatz',
  velocityLead: (done, trend) =>
    `${counted(done, 'Karte', 'Karten')} erledigt${trend === undefined ? '' : `; ${trend}`}`,
  trends: { up: 'steigend', down: 'fallend', stable: 'gleichbleibend' },
  week: 'Woche',
  proof: {
    title: 'Erledigt, nach Nachweis',
    lead: (confirmed, watched) => `${confirmed} durch CI oder eine Person, ${watched} durch einen beobachteten Lauf`,
    done: 'Karten erledigt',
    tiers: { ci: 'CI', person: 'Eine Person', observed: 'Beobachteter Lauf', claimed: 'Nur gesagt', none: 'Nichts' },
  },
  kinds: { impl: 'Karten', test: 'Tests', bug: 'Bugs' },
  cycle: 'Zeit von Beginn bis Ende',
  phases: { ideation: 'Ideation', refinement: 'Refinement', spec: 'Spec', sprint: 'Sprint', card: 'Karte' },
  duration(hours) {
    const minutes = Math.round(hours * 60)
    if (minutes < 1) return 'unter einer Minute'
    if (minutes < 60) return `${minutes} Min.`
    return hours < 48 ? `${tenths(hours)} Std.` : `${tenths(hours / 24)} Tage`
  },
  coverage: 'Abdeckung',
  spec: 'Spec',
  criteria: 'Kriterien',
  requirements: 'Anforderungen',
  scenarios: 'Szenarien',
  noCriteria: 'Keine',
  percent: value => `${number(Math.round(value))} %`,
  agents: 'Agenten',
  agent: 'Agent',
  worked: 'Bearbeitet',
  done: 'Erledigt',
  firstPass: 'Auf Anhieb',
  rework: 'Nacharbeit',
  cycleHours: 'Zeit je Karte',
  blockers: 'Was die Arbeit aufhält',
  noBlockers: 'Nichts.',
  blockerKinds: {
    dependency_blocked: 'Wartet auf andere',
    on_hold: 'Angehalten',
    stale: 'Lange nicht bearbeitet',
    spec_pending_validation: 'Spec wartet auf Prüfung',
    spec_no_cards: 'Spec ohne Karten',
    uncovered_scenario: 'Szenario ohne Karte',
  },
}
