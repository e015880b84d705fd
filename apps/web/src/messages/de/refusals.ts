import type { Messages } from '../messages.ts'
import { counted, listed, number } from './words.ts'

const now = (status: string | undefined): string => (status === undefined ? '' : ` Status: ${status}.`)

export const refusals: Messages['refusals'] = {
  gates: {
    ARCHIVED: () => 'Archiviert. Zuerst wiederherstellen.',
    INVALID_TRANSITION: ({ status, wanted }) =>
      status === undefined || wanted === undefined ? undefined : `Von „${status}“ nach „${wanted}“ führt kein Weg.`,
    IDEATION_LOCKED: ({ status }) => `Diese Ideation lässt sich nicht bearbeiten.${now(status)}`,
    REFINEMENT_LOCKED: ({ status }) => `Dieses Refinement lässt sich nicht bearbeiten.${now(status)}`,
    SPEC_LOCKED: () =>
      'Diese Spec hat ihre Prüfung bestanden und ist gesperrt. Zuerst in den Entwurf zurückverschieben.',
    EVALUATION_NOT_OPEN: ({ status }) => `Eine Ideation wird bewertet, solange sie in Bewertung ist.${now(status)}`,
    IDEATION_NOT_DONE: ({ status }) => `Zuerst muss die Ideation fertig sein.${now(status)}`,
    REFINEMENT_NOT_DONE: ({ status }) => `Zuerst muss das Refinement fertig sein.${now(status)}`,
    REFINEMENT_REQUIRED: () =>
      'Eine Ideation dieser Größe braucht zuerst ein Refinement. Daraus werden Specs abgeleitet.',
    SCOPE_REQUIRED: () => 'Zuerst festhalten, was dazugehört.',
    SPEC_NOT_APPROVED: ({ status }) => `Eine Spec wird geprüft, sobald sie freigegeben ist.${now(status)}`,
    SPEC_NOT_VALIDATED: ({ status }) => `Eine Spec wird bewertet, sobald sie geprüft ist.${now(status)}`,
    SPEC_VALIDATION_REQUIRED: () =>
      'Dieses Board prüft seine Specs. Eine bestandene Prüfung verschiebt die Spec von selbst.',
    SPEC_NOT_READY: ({ status, wanted }) =>
      wanted === undefined
        ? `Die Spec ist nicht im richtigen Status.${now(status)}`
        : `Solche Karten lassen sich ab dem Spec-Status „${wanted}“ verschieben.${now(status)}`,
    COVERAGE_REQUIRED: ({ gate, count }) =>
      gate === 'scenarios'
        ? `${counted(count, 'Testszenario', 'Testszenarien')} des Sprints noch nicht bestanden.`
        : `${counted(count, 'Teil', 'Teile')} der Spec noch nicht abgedeckt.`,
    EVALUATION_REQUIRED: () => 'Noch keine Bewertung befürwortet es.',
    EVALUATION_REJECTED: ({ names }) =>
      `Abgelehnt von ${listed(names)}. Eine neue Bewertung derselben Stelle ersetzt die Ablehnung.`,
    EVALUATION_BELOW_THRESHOLD: ({ average, threshold }) =>
      `Die befürwortenden Bewertungen ergeben im Mittel ${number(average)}; nötig sind ${number(threshold)}.`,
    CRITERIA_UNCOVERED: ({ count }) =>
      `${counted(count, 'Akzeptanzkriterium', 'Akzeptanzkriterien')} ohne Testszenario.`,
    SPRINTS_OPEN: ({ count }) =>
      `${counted(count, 'Sprint ist', 'Sprints sind')} offen. Zuerst abschließen oder abbrechen.`,
    NO_CLOSED_SPRINT: () => 'Alle Sprints der Spec wurden abgebrochen. Mindestens einer muss abgeschlossen sein.',
    TASKS_OPEN: ({ count }) =>
      `${counted(count, 'Karte ist', 'Karten sind')} offen. Zuerst fertigstellen oder abbrechen.`,
    SCENARIOS_OPEN: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} noch nicht ausgeführt oder fehlgeschlagen.`,
    SCENARIOS_NOT_RUN: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} dieser Karte noch nicht ausgeführt.`,
    TEST_EVIDENCE_REQUIRED: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} ohne Beleg: wo der Test steht, oder wann er lief und was er ergab.`,
    REVIEWER_NOT_SEPARATE: () => 'Wer an dieser Arbeit beteiligt war, kann nicht über sie urteilen.',
    PERSON_REQUIRED: () => 'Das ist Sache einer Person, die ohne Schlüssel angemeldet ist.',
    CLAIMED: ({ names }) =>
      names.length === 0 ? 'Diese Karte ist schon übernommen.' : `Diese Karte ist übernommen von ${listed(names)}.`,
    NOT_CLAIMED: () => 'Diese Karte ist nicht übernommen. Zuerst übernehmen.',
    ATTEMPTS_USED_UP: ({ used }) =>
      `Die Arbeit an dieser Karte ist ${number(used)}-mal gescheitert, kein Versuch ist übrig. Weitere erlauben, die Karte abbrechen oder eine Spec daraus machen.`,
    VALIDATION_REQUIRED: () => 'Diese Karte braucht eine bestandene Prüfung von jemandem, der urteilen darf.',
    CARD_NOT_IN_VALIDATION: ({ status }) => `Eine Karte wird geprüft, solange sie in Prüfung ist.${now(status)}`,
    VALIDATION_NOT_APPLICABLE: () =>
      'Eine Testkarte braucht keine Prüfung. Stattdessen die Ergebnisse ihrer Szenarien eintragen.',
    SPRINT_REQUIRED: () => 'Die Spec hat Sprints. Diese Karte zuerst in einen davon aufnehmen.',
    SPRINT_NOT_ACTIVE: ({ status }) =>
      `Karten eines Sprints lassen sich verschieben, solange der Sprint aktiv ist.${now(status)}`,
    SPRINT_EMPTY: () => 'Der Sprint hat keine Karten. Zuerst welche aufnehmen.',
    TEST_TASK_REQUIRED: () => 'Ein Bug braucht einen Regressionstest, der zeigt, dass er behoben ist.',
    TEST_TASK_INVALID: ({ count }) =>
      `${counted(count, 'verknüpfte Testkarte zählt', 'verknüpfte Testkarten zählen')} nicht als Test dieses Bugs.`,
    CONCLUSION_REQUIRED: () => 'Das Verschieben verlangt einen vollständigen Bericht.',
    CHECK_FAILED: () =>
      'Die Kontrolle ist fehlgeschlagen, also ist die Karte nicht fertig. Beheben und erneut kontrollieren.',
    DEPENDENCIES_NOT_MET: ({ count }) => `Wartet auf ${counted(count, 'andere Karte', 'andere Karten')}.`,
    PROOF_REQUIRED: ({ count, tier }) =>
      `${counted(count, 'Teil', 'Teile')} ohne den Nachweis, den dieses Board verlangt${tier === undefined ? '' : `: ${tier}`}.`,
    CHANGE_NOT_MERGED: () => 'Die Arbeit an dieser Karte ist nicht gemergt.',
    CHECKS_NOT_GREEN: () => 'Checks der Arbeit an dieser Karte sind nicht grün.',
    INVALID_STATE: ({ status }) => (status === undefined ? undefined : `Im Status „${status}“ ist das nicht möglich.`),
  },
  faults: {
    missing: () => 'fehlt',
    string_too_short: limit => (limit === 1 ? 'ist leer' : `hat weniger als ${number(limit)} Zeichen`),
    string_too_long: limit => `hat mehr als ${number(limit)} Zeichen`,
    too_short: limit => `hat weniger als ${number(limit)} Einträge`,
    too_long: limit => `hat mehr als ${number(limit)} Einträge`,
    greater_than: limit => `ist nicht größer als ${number(limit)}`,
    greater_than_equal: limit => `ist kleiner als ${number(limit)}`,
    less_than: limit => `ist nicht kleiner als ${number(limit)}`,
    less_than_equal: limit => `ist größer als ${number(limit)}`,
  },
  tiers: {
    claimed: 'mindestens die Angabe eines Agenten',
    observed: 'mindestens ein beobachteter Lauf',
    ci: 'mindestens CI',
    person: 'die Bestätigung einer Person',
  },
  parts: {
    conclusion: 'Was getan wurde',
    completeness: 'Wie vollständig es ist',
    completeness_justification: 'Warum es nicht vollständig ist',
    drift: 'Wie weit es vom Plan abweicht',
    drift_justification: 'Warum es vom Plan abweicht',
    check: 'Das Ergebnis einer Kontrolle',
    linked_test_task_ids: 'Eine verknüpfte Testkarte',
    regression_test: 'Der Regressionstest mit Datei und Name',
  },
  reasons: {
    test: 'ohne Testkarte',
    rules: 'ohne Geschäftsregel',
    rule_tasks: 'ohne Karte',
    technical_requirements: 'ohne Karte',
    contracts: 'ohne Karte',
    decisions: 'ohne Karte',
    tier: 'Nachweis reicht nicht',
    failed: 'fehlgeschlagen',
    stale: 'älter als der Code',
    outdated: 'älter als der Code',
    needs_person: 'eine Person muss es bestätigen',
    no_change: 'Keine Änderung ist mit der Karte verknüpft',
    open: 'nicht gemergt',
    draft: 'noch ein Entwurf',
    not_on_default: 'nicht auf dem Standard-Branch',
    not_confirmed: 'niemand hat den Merge bestätigt',
    failing: 'schlägt fehl',
    pending: 'läuft noch',
    cancelled: 'abgebrochen',
    not_run: 'nicht gelaufen',
    none: 'Noch kein Check gelaufen',
    not_found: 'Die Testkarte gibt es nicht mehr',
    not_a_test: 'Die Karte ist keine Testkarte',
    no_scenario: 'Die Testkarte hat kein Szenario',
    other_spec: 'Die Testkarte gehört zu einer anderen Spec',
    older_than_bug: 'Die Testkarte ist älter als der Bug',
    unknown_scenario: 'Das Szenario der Testkarte gibt es in der Spec nicht mehr',
  },
}
