import type { Messages } from '../messages.ts'
import { counted, listed, number } from './words.ts'

const now = (status: string | undefined): string => (status === undefined ? '' : ` Status: ${status}.`)

export const refusals: Messages['refusals'] = {
  gates: {
    ARCHIVED: () => 'Archiviert. Zuerst wiederherstellen.',
    INVALID_TRANSITION: ({ status, target }) =>
      status === undefined || target === undefined ? undefined : `Von „${status}“ nach „${target}“ führt kein Weg.`,
    IDEATION_LOCKED: ({ status }) => `Diese Ideation lässt sich nicht bearbeiten.${now(status)}`,
    REFINEMENT_LOCKED: ({ status }) => `Dieses Refinement lässt sich nicht bearbeiten.${now(status)}`,
    SPEC_LOCKED: () =>
      'Diese Spec hat ihre Prüfung bestanden und ist gesperrt. Zuerst in den Entwurf zurückverschieben.',
    EVALUATION_NOT_OPEN: ({ status }) => `Eine Ideation wird bewertet, solange sie in Bewertung ist.${now(status)}`,
    IDEATION_NOT_DONE: ({ status }) => `Zuerst muss die Ideation erledigt sein.${now(status)}`,
    REFINEMENT_NOT_DONE: ({ status }) => `Zuerst muss das Refinement erledigt sein.${now(status)}`,
    REFINEMENT_REQUIRED: () =>
      'Eine Ideation dieser Größe braucht zuerst ein Refinement. Daraus werden Specs abgeleitet.',
    SCOPE_REQUIRED: () => 'Zuerst festhalten, was im Umfang ist.',
    SPEC_NOT_APPROVED: ({ status }) => `Eine Spec wird geprüft, sobald sie freigegeben ist.${now(status)}`,
    SPEC_NOT_VALIDATED: ({ status }) => `Eine Spec wird bewertet, sobald sie geprüft ist.${now(status)}`,
    SPEC_VALIDATION_REQUIRED: () =>
      'Dieses Board prüft seine Specs. Eine bestandene Prüfung verschiebt die Spec von selbst.',
    SPEC_NOT_READY: ({ status, target }) =>
      target === undefined
        ? `Die Spec ist nicht im richtigen Status.${now(status)}`
        : `Solche Karten lassen sich ab dem Spec-Status „${target}“ verschieben.${now(status)}`,
    COVERAGE_REQUIRED: ({ gate, count }) =>
      gate === 'scenarios'
        ? `${counted(count, 'Testszenario', 'Testszenarien')} des Sprints noch nicht bestanden.`
        : `${counted(count, 'Teil', 'Teile')} der Spec noch nicht abgedeckt.`,
    EVALUATION_REQUIRED: () => 'Noch keine Bewertung befürwortet es.',
    EVALUATION_REJECTED: ({ names }) =>
      `Abgelehnt von ${listed(names)}. Wer abgelehnt hat, kann neu bewerten; das ersetzt die Ablehnung.`,
    EVALUATION_BELOW_THRESHOLD: ({ average, threshold }) =>
      `Die befürwortenden Bewertungen ergeben im Mittel ${number(average)}; nötig sind ${number(threshold)}.`,
    CRITERIA_UNCOVERED: ({ count }) =>
      `${counted(count, 'Akzeptanzkriterium', 'Akzeptanzkriterien')} ohne Testszenario.`,
    SPRINTS_OPEN: ({ count }) =>
      `${counted(count, 'Sprint ist', 'Sprints sind')} offen. Zuerst schließen oder abbrechen.`,
    NO_CLOSED_SPRINT: () => 'Alle Sprints der Spec wurden abgebrochen. Mindestens einer muss geschlossen sein.',
    TASKS_OPEN: ({ count }) =>
      `${counted(count, 'Karte ist', 'Karten sind')} offen. Zuerst fertigstellen oder abbrechen.`,
    SCENARIOS_OPEN: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} noch nicht ausgeführt oder fehlgeschlagen.`,
    SCENARIOS_NOT_RUN: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} dieser Karte noch nicht ausgeführt.`,
    TEST_EVIDENCE_REQUIRED: ({ count }) =>
      `${counted(count, 'Testszenario', 'Testszenarien')} ohne Nachweis: wo der Test steht, oder wann er lief und was er ergab.`,
    REVIEWER_NOT_SEPARATE: () => 'Wer an dieser Arbeit beteiligt war, kann nicht über sie urteilen.',
    PERSON_REQUIRED: () => 'Das ist Sache einer Person, die ohne Schlüssel angemeldet ist.',
    CLAIMED: ({ names }) =>
      names.length === 0 ? 'Diese Karte ist schon übernommen.' : `Diese Karte ist übernommen von ${listed(names)}.`,
    NOT_CLAIMED: () => 'Diese Karte ist nicht übernommen. Zuerst übernehmen.',
    ATTEMPTS_USED_UP: ({ used }) =>
      `Die Arbeit an dieser Karte ist ${number(used)}-mal gescheitert, kein Versuch ist übrig. Weitere erlauben, die Karte abbrechen oder in eine Spec umwandeln.`,
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
    COLUMN_FULL: ({ limit }) =>
      `Die Spalte ist voll: Dieses Board lässt ${limit === undefined ? 'keine weitere Karte' : `höchstens ${counted(limit, 'Karte', 'Karten')}`} hinein. Zuerst dort eine fertigstellen oder weiterziehen.`,
    INVALID_STATE: ({ status }) => (status === undefined ? undefined : `Im Status „${status}“ ist das nicht möglich.`),
  },
  calls: {
    IDEMPOTENCY_KEY_REUSED: () =>
      'Das wurde schon in anderer Form gesendet. Die Seite neu laden und es wieder versuchen.',
    ALREADY_SHARED: () => 'Das Board ist mit diesem Agenten schon geteilt. Dort lassen sich seine Rechte ändern.',
    ALREADY_GRANTED: () => 'Dieser Agent hat schon Zugriff auf das Board. Dort lassen sich seine Rechte ändern.',
    SELF_CHANGE: () => 'Das darf niemand an sich selbst ändern. Es ist Sache derer, die den Agenten verwalten.',
    AGENT_OWNS_BOARDS: () => 'Diesem Agenten gehören Boards. Zuerst diese löschen.',
    PRESET_IN_USE: () => 'Agenten haben diese Rolle. Ihnen zuerst eine andere geben.',
    SETTING_PINNED: () => 'Das ist für den ganzen Dienst festgelegt und ändert sich nur mit dessen Einstellungen.',
    ITEMS_IN_USE: () => 'Teile, die dadurch wegfielen, sind in Gebrauch.',
    NOT_CONFIRMED: () => 'Niemand hat es bestätigt.',
    SCENARIO_LIMIT: ({ limit }) =>
      limit === undefined
        ? 'Die Karte hätte mehr Testszenarien, als das Board erlaubt.'
        : `Auf diesem Board hat eine Karte höchstens ${counted(limit, 'Testszenario', 'Testszenarien')}.`,
    CARD_NOT_IN_SPEC: () => 'Die Karte gehört nicht zu dieser Spec. Sie zuerst zuordnen.',
    CHANGED_MEANWHILE: () => 'Nach dem Bericht hat sich geändert, was zu tun ist. Zuerst die Änderungen lesen.',
    PATHS_OVERLAP: ({ names }) =>
      names.length === 0
        ? 'An denselben Dateien wird schon gearbeitet.'
        : `An diesen Dateien arbeitet auch ${listed(names)}.`,
    DEPENDENCY_CYCLE: () => 'Die Karten würden aufeinander warten.',
    DEPENDENCY_EXISTS: () => 'Die Karte wartet schon auf jene.',
    ALREADY_LINKED: () => 'Diese Leitlinie ist schon verknüpft.',
    INLINE_GUIDELINE: () => 'Diese Leitlinie gehört nur zu diesem Board. Sie lässt sich löschen, aber nicht lösen.',
    LINEAGE_ROOT_UNRESOLVED: () => 'Ohne Spec hat die Karte keine Herkunft. Sie zuerst einer Spec zuordnen.',
    NAME_TAKEN: () => 'Der Name ist vergeben. Einen anderen wählen.',
    KEY_TAKEN: () => 'Ein anderes Board hat dieses Präfix. Ein anderes wählen.',
    HANDLE_TAKEN: () => 'Der Kurzname ist vergeben. Einen anderen wählen.',
    LAST_SIGN_IN: () =>
      'Danach gäbe es keine Anmeldung mehr. Zuerst ein Konto verknüpfen oder einen Schlüssel anlegen.',
    REPOSITORY_EXISTS: () => 'Das Board hat dieses Repository schon.',
    REPORT_EXISTS: () => 'Ein anderer Bericht dieses Laufs hat denselben Namen und Versuch.',
    ID_TAKEN: () => 'Einträge dieses Archivs gibt es hier schon an anderer Stelle. Es als Kopie importieren.',
    LIMIT_REACHED: ({ limit }) =>
      limit === undefined
        ? 'Mehr sind nicht möglich. Zuerst löschen, was nicht mehr gebraucht wird.'
        : `Die Grenze von ${number(limit)} ist erreicht. Zuerst löschen, was nicht mehr gebraucht wird.`,
    ENTRY_IN_PROGRESS: () => 'Dieser Eintrag ist gerade in Arbeit. Warten, bis das erledigt ist.',
    ALREADY_UNDONE: () => 'Das ist schon rückgängig gemacht.',
    UNDO_BLOCKED: () => 'Spätere Sitzungen bauen auf dieser auf. Zuerst diese rückgängig machen.',
    TICK_ALREADY_RUNNING: () => 'Ein Lauf ist schon im Gang. Warten, bis er fertig ist.',
    MIGRATION_RUNNING: () => 'Eine Migration läuft schon. Warten, bis sie fertig ist.',
  },
  faults: {
    string_too_short: limit => (limit === 1 ? 'ist leer' : `hat weniger als ${number(limit)} Zeichen`),
    string_too_long: limit => `hat mehr als ${number(limit)} Zeichen`,
    too_short: limit => `hat weniger als ${number(limit)} Einträge`,
    too_long: limit => `hat mehr als ${number(limit)} Einträge`,
    greater_than: limit => `ist nicht größer als ${number(limit)}`,
    greater_than_equal: limit => `ist kleiner als ${number(limit)}`,
    less_than: limit => `ist nicht kleiner als ${number(limit)}`,
    less_than_equal: limit => `ist größer als ${number(limit)}`,
  },
  kinds: {
    missing: 'fehlt',
    string_type: 'ist kein Text',
    int_type: 'ist keine ganze Zahl',
    int_parsing: 'ist keine ganze Zahl',
    float_type: 'ist keine Zahl',
    float_parsing: 'ist keine Zahl',
    bool_type: 'ist weder ja noch nein',
    bool_parsing: 'ist weder ja noch nein',
    list_type: 'ist keine Liste',
    dict_type: 'hat die falsche Form',
    enum: 'gehört nicht zur Auswahl',
    pattern: 'ist weder ein Pfad im Repository noch ein Muster von Pfaden, ohne / am Anfang und ohne ..',
  },
  formats: {
    email: 'ist keine E-Mail-Adresse',
    date: 'ist kein Datum',
    datetime: 'ist kein Zeitpunkt',
    url: 'ist keine Webadresse',
    web_address: 'ist keine Webadresse',
    not_blank: 'ist leer',
    board_key: 'besteht nicht aus einem Großbuchstaben und weiteren Großbuchstaben oder Ziffern',
    handle: 'hat andere Zeichen als Kleinbuchstaben, Ziffern und, dazwischen, Punkte, Unterstriche und Bindestriche',
    time_of_day: 'ist keine Uhrzeit',
    variable_name: 'ist kein Name einer Umgebungsvariable',
    event_action: 'ist weder der Name eines Ereignisses noch sein Anfang und ein *',
    repository_path: 'ist kein Pfad im Repository, ohne / am Anfang und ohne ..',
    commit_hash: 'ist kein Hash eines Commits',
  },
  invalid: message => `ist ungültig (${message})`,
  fields: {
    branch: 'Branch',
    choices: 'Auswahl',
    default_branch: 'Standardbranch',
    description: 'Beschreibung',
    details: 'Einzelheiten',
    digest_at: 'Tägliche Zusammenfassung um',
    due_date: 'Fällig',
    email: 'E-Mail',
    end_date: 'Ende',
    expected_behavior: 'Erwartetes Verhalten',
    from: 'Von',
    handle: 'Kurzname',
    labels: 'Labels',
    name: 'Name',
    objective: 'Ziel',
    observed_behavior: 'Beobachtetes Verhalten',
    paths: 'Dateien',
    quiet_hours: 'Ruhezeit',
    reason: 'Begründung',
    start_date: 'Beginn',
    summary: 'Zusammenfassung',
    time_zone: 'Zeitzone',
    title: 'Titel',
    to: 'Bis',
    url: 'Adresse',
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
    not_on_default: 'nicht auf dem Standardbranch',
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
