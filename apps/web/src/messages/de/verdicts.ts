import type { Messages } from '../messages.ts'
import { number } from './words.ts'

export const verdicts: Messages['verdicts'] = {
  operations: {
    evaluate_ideation: 'Umfang bewerten',
    derive_spec_from_ideation: 'Spec ableiten',
    derive_spec_from_refinement: 'Spec ableiten',
    submit_spec_validation: 'Prüfen',
    submit_spec_evaluation: 'Bewerten',
    submit_sprint_evaluation: 'Bewerten',
  },
  titles: {
    evaluate_ideation: 'Wie groß ist sie?',
    submit_spec_validation: 'Spec prüfen',
    submit_spec_evaluation: 'Plan der Spec bewerten',
    submit_sprint_evaluation: 'Sprint bewerten',
  },
  leads: {
    evaluate_ideation:
      'Von 1 (klein) bis 5 (groß) bewerten. Der höchste Wert entscheidet: Über 1 braucht die Ideation erst Refinements, dann Specs.',
    submit_spec_validation: 'Mit einem bestandenen Urteil gilt die Spec als geprüft und wird gesperrt.',
    submit_spec_evaluation: 'Bevor die Arbeit beginnt, gibt jemand die Aufteilung der Spec in Karten frei.',
    submit_sprint_evaluation: 'Ein Sprint kann geschlossen werden, sobald jemand sein Ergebnis freigegeben hat.',
  },
  review: 'Spec freigeben',
  reviewLead:
    'Nach der Freigabe kann sie geprüft werden, und Karten können dazukommen. Zum Zurückgeben ihre Seite öffnen.',
  thresholds: (completeness, assertiveness, ambiguity) =>
    `Bestanden ab einer Vollständigkeit von ${number(completeness)}, einer Bestimmtheit von ${number(assertiveness)} und bis zu einer Mehrdeutigkeit von ${number(ambiguity)}.`,
  scores: {
    domains: 'Betroffene Bereiche',
    ambiguity: 'Mehrdeutigkeit (0–100, 0 = klar)',
    unclear: 'Was unklar ist',
    dependencies: 'Wovon es abhängt',
    completeness: 'Vollständigkeit (0–100)',
    assertiveness: 'Bestimmtheit (0–100)',
    breakdown_completeness: 'Vollständigkeit der Karten (0–100)',
    granularity: 'Größe der Karten (0–100)',
    dependency_coherence: 'Reihenfolge der Karten (0–100)',
    test_coverage_quality: 'Qualität der Tests (0–100)',
    overall_score: 'Gesamt (0–100)',
  },
  whyOf: score => `Begründung: ${score}`,
  overall: 'Das Urteil in Worten',
  recommend: { approve: 'Freigeben', request_changes: 'Änderungen verlangen', reject: 'Ablehnen' },
  submit: 'Speichern',
  saved: 'Urteil gespeichert',
  given: 'Das Urteil ist abgegeben.',
  failed: violations => `Nicht bestanden: ${violations}`,
  rejected: 'Nicht bestanden: abgelehnt',
  validations: 'Prüfungen',
  outcome: { success: 'Bestanden', failed: 'Nicht bestanden' },
  active: 'Gilt',
  scope: 'Umfang',
  scopeOf: (domains, ambiguity, dependencies) =>
    `Bereiche ${domains}, unklar ${ambiguity}, Abhängigkeiten ${dependencies}`,
}
